"""What a person sees in a terminal of a given width, by a real pseudo-terminal: nothing wraps by itself."""

import pathlib
import re
import unicodedata

import pytest
from program import has_cuda_driver
from terminal import seen

SWEEP = ("-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--size", "64x64", "--steps", "5,6", "--batch", "1,2",
         "--repeat", "2", "--warmup", "1", "--no-save")
INVENTED = pathlib.Path(__file__).parents[1] / "data" / "compare"
WIDTHS = [20, 40, 79, 80, 81, 132, 200]


def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def lines(text):
    """As they stand, each rewriting of a line on its own, without the codes of colours."""
    return re.split(r"\r?\n|\r", re.sub(r"\x1b\[[0-9;]*[mK]", "", text))


def shown_lines(text):
    """Without notes, of which a word may be wider: other programs may make the machine busy."""
    return lines(re.sub(r"(?m)^note .*\n( {4}\S.*\n)*", "", text))


def bars(text):
    return [line for line in lines(text) if re.search(r"\d%", line)]


@pytest.fixture
def stub_seen(program, tmp_path):
    """seen() of the program over a worker that only tells its steps: what a front shows is the front's."""
    def look(width, *arguments, **variables):
        return seen(tmp_path, width, *arguments, program=program, SDBENCH_STUB="steps", **variables)
    return look


@pytest.mark.parametrize("width", WIDTHS)
def test_a_sweeps_bar_and_table_are_no_wider_than_the_terminal(stub_seen, width):
    text = stub_seen(width, "run", *SWEEP, "--label", "四千零九十-ラベル")
    assert bars(text)
    assert max(map(columns, bars(text))) < width
    shown = [line for line in lines(text) if "UNet it/s" in line or "images/min" in line.replace("MP", "") and "[" not in line]
    assert shown
    assert max(map(columns, shown)) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_one_cells_bar_and_table_are_no_wider_than_the_terminal(stub_seen, width):
    text = stub_seen(width, "run", *SWEEP[:8], "--steps", "5", "--repeat", "2", "--no-save", "-q")
    assert max(map(columns, shown_lines(text))) <= width


@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_sweeps_lines_and_notes_are_folded_at_words(stub_seen, width, locale):
    """A word stays whole: a terminal's own wrapping is not copied."""
    text = stub_seen(width, "run", *SWEEP, "--label", "四千零九十-ラベル", "--note", "four thousand and ninety", LANG=locale)
    wide = [line for line in lines(text) if columns(line) > width]
    assert all(" " not in line.strip() or re.fullmatch(r" *--[a-z-]+ \S+", line) for line in wide), wide
    assert len(re.findall(r"\[\d/4\] tiny-sd15", text)) == 4, text
    said = " ".join(text.split())
    assert len(re.findall(r"(it/s|s/it), [0-9.,]+ images/(min|s)", said)) >= 4, text


@pytest.mark.parametrize("width", [40, 80])
def test_a_command_stands_whole_on_a_line_of_its_own(stub_seen, tmp_path, width):
    text = stub_seen(width, "run", "-m", "sd15", "--device", "cpu", "--steps", "1", "--repeat", "1", "--warmup", "0", "--size", "64x64",
                "--max-time", "1", "--no-save", HF_HOME=str(tmp_path), code=None)
    assert re.search(r"^hf download \S+ --include '\*\.json' --include '\*\.txt' --include '\*/\*\.safetensors'$", "\n".join(lines(text)), re.MULTILINE), text
    (prose,) = re.findall(r"NO WEIGHTS FOUND[^\r]*", text)
    assert columns(prose) <= width


def test_an_error_is_folded_too(tmp_path):
    text = seen(tmp_path, 60, "run", "-m", "no-such-model-anywhere", "--no-save", code=2)
    assert len(lines(text.strip())) > 1
    assert max(map(columns, lines(text))) <= 60


@pytest.mark.parametrize("subject", ["models", "presets", "devices"])
@pytest.mark.parametrize("width", WIDTHS)
def test_lists_are_no_wider_than_the_terminal(tmp_path, subject, width):
    text = seen(tmp_path, width, "list", subject)
    assert max(map(columns, lines(text))) <= width


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_dry_run_is_no_wider_than_the_terminal(tmp_path, width):
    text = seen(tmp_path, width, "run", *SWEEP, "--dry-run")
    assert max(map(columns, lines(text))) <= width


def test_a_dry_run_says_above_its_table_what_all_runs_share(tmp_path):
    text = seen(tmp_path, 80, "run", *SWEEP, "--dry-run")
    head, *rows = [line for line in lines(text) if re.match("RUN|[1-4]  ", line)]
    assert head.split() == ["RUN", "STEPS", "BATCH", "IMAGES", "MEMORY", "TIME"] and len(rows) == 4, text
    assert re.search(r"in all runs: MODEL tiny-sd15, SIZE \(px\) 64x64, DEVICE cpu", text), text
    assert "in all runs" not in seen(tmp_path, 200, "run", *SWEEP, "--dry-run")


def test_a_comparisons_notes_stand_in_their_column_in_a_narrow_terminal(tmp_path):
    rows = [str(INVENTED / f"invented-{name}.csv") for name in ("alpha", "bravo", "charlie", "delta", "echo")]
    heads = [line for line in lines(seen(tmp_path, 60, "compare", "--metric", "unet_it_s", *rows)) if line.startswith("#  machine") and "UNet it/s" in line]
    assert [head.split()[-1] for head in heads] == ["notes", "verdict", "notes"], heads


@pytest.mark.parametrize("arguments, command", [
    (("-m", "tiny-sd15", "--weights", "synthetic", "--device", "cuda:7", "--no-save"), "sdbench list devices"),
    (("compare", INVENTED / "invented-alpha.csv", "-o", "table.jsonl"), "sdbench merge FILES -o table.jsonl")])
def test_a_command_that_is_advised_stands_alone_on_its_line(tmp_path, arguments, command):
    if command == "sdbench list devices" and has_cuda_driver():
        pytest.skip("the device may be there")
    assert command in lines(seen(tmp_path, 60, *arguments, code=None))


def test_the_same_holds_with_a_real_worker(tmp_path):
    text = seen(tmp_path, 79, "run", *SWEEP, "--threads", "1", "--label", "四千零九十-ラベル")
    assert bars(text)
    assert max(map(columns, shown_lines(text))) <= 79


def test_a_bar_follows_a_terminal_that_becomes_narrower(stub_seen):
    text = stub_seen(120, "run", *SWEEP[:9], "40,41", *SWEEP[10:], narrower=50)
    assert bars(text)
    assert max(map(columns, bars(text))) < 50


def test_a_terminal_in_ascii_is_shown_ascii(stub_seen, tmp_path):
    text = stub_seen(80, "run", *SWEEP, LANG="C") + seen(tmp_path, 80, "run", *SWEEP[:8], "--steps", "2", "--repeat", "1", "--no-save", LANG="C")
    assert "#" in "".join(bars(text))
    assert text.isascii(), [line for line in lines(text) if not line.isascii()]
