"""`sdbench trend` from outside: what it finds in made-up nights, its forms, exit codes, and what it does with bad input."""

import json
import re
import xml.etree.ElementTree as xml

import pytest
from made_up_nights import RATES, TIMES, date, row, slower_nights, write
from program import run
from terminal import seen

LIMIT = ("--fail-if-slower", "3%")


def trend(folder, *arguments):
    return run(folder, "trend", *arguments)


def test_a_change_is_named_with_what_changed_there(tmp_path):
    for night, made in enumerate(slower_nights()):
        write(tmp_path / "nightly" / f"{night:02}.csv", [made])
    code, out, err = trend(tmp_path, "nightly", "--format", "json")
    assert (code, err) == (0, "")
    [cell] = json.loads(out)["trends"]
    [change] = cell["changes"]
    assert change["since"] == date(20)
    assert change["changed"] == [{"field": "driver_version", "before": "570.86", "after": "580.10"}]
    assert change["relative"] == pytest.approx(1 / 1.06, rel=2e-3) and change["relative_ci95_low"] < change["relative"] < change["relative_ci95_high"]
    assert len(cell["nights"]) == 24 and [night["date"] for night in cell["nights"]] == [date(night) for night in range(24)]
    rates = [night["value"] for night in cell["nights"]]
    assert cell["nights"][19]["baseline"] == pytest.approx(sorted(rates[9:19])[5], rel=4e-3)
    assert cell["metric"] == "images_per_min" and cell["nights"][0]["value"] == pytest.approx(float(row(0)["images_per_min"]))
    code, out, err = trend(tmp_path, "nightly")
    assert code == 0 and f"slower since {date(20)}" in out and "driver_version 570.86 -> 580.10" in out


def test_the_gate_fails_for_a_proved_change_alone(tmp_path):
    rows = slower_nights()
    for count, expected in ((24, 4), (23, 4), (22, 5), (21, 5), (20, 0), (9, 5)):
        write(tmp_path / "n.csv", rows[:count])
        code, _, err = trend(tmp_path, "n.csv", *LIMIT)
        assert code == expected, (count, err)
        assert err.startswith("sdbench: judged by unet_it_s")
    write(tmp_path / "n.csv", rows)
    assert trend(tmp_path, "n.csv", "--fail-if-slower", "20%")[0] == 0
    code, _, err = trend(tmp_path, "n.csv", *LIMIT, "--metric", "peak_device_allocated_bytes")
    assert code == 0, err
    write(tmp_path / "n.csv", [*rows[:20], {**row(20), "status": "crash", **dict.fromkeys((*TIMES, *RATES), "")}])
    code, out, err = trend(tmp_path, "n.csv", *LIMIT)
    assert code == 4 and "sdbench: failed: " in err and f"{date(20)} (crash)" in out, err


def test_a_shared_trend_names_a_changed_field_whose_values_are_private(tmp_path):
    rows = [{**made, "driver_version": "1", "kernel": "6.1-lab" if night < 20 else "6.8-lab"} for night, made in enumerate(slower_nights())]
    write(tmp_path / "n.csv", rows)
    assert "kernel 6.1-lab -> 6.8-lab" in trend(tmp_path, "n.csv")[1]
    for form, words in (("md", "kernel (not shown here)"), ("html", "kernel (not shown here)")):
        assert trend(tmp_path, "n.csv", "-o", f"t.{form}", "--overwrite")[0] == 0
        text = (tmp_path / f"t.{form}").read_text()
        assert words in text and "-lab" not in text, text


def test_a_change_names_only_tags_that_changed_and_cuts_long_ones_visibly(tmp_path):
    tags = "case=open cooler=air-of-the-big-kind fan=1200 psu={}" + 30 * "x"
    rows = [{**made, "driver_version": "1", "tags": tags.format("A" if night < 20 else "B")} for night, made in enumerate(slower_nights())]
    write(tmp_path / "n.csv", rows)
    out = trend(tmp_path, "n.csv")[1]
    assert "tags psu=Ax" in out and "-> psu=Bx" in out and "fan=1200 ->" not in out, out


FAILED = {"status": "crash", **dict.fromkeys((*TIMES, *RATES), "")}


def gate(tmp_path, rows, *arguments):
    write(tmp_path / "n.csv", rows)
    return trend(tmp_path, "n.csv", *LIMIT, *arguments)


def test_a_cell_that_only_ever_failed_fails_unless_the_card_is_too_small_for_it(tmp_path):
    for status, expected, words in (("crash", 4, "failed: "), ("timeout", 4, "failed: "), ("invalid_output", 4, "failed: "),
                                    ("interrupted", 5, "not decided: "), ("oom_device", 0, "not judged: "), ("skipped", 0, "not judged: ")):
        code, out, err = gate(tmp_path, [row(night, **{**FAILED, "status": status}) for night in range(15)])
        said = "OOM" if status == "oom_device" else status
        assert code == expected and err.count(words) == 1 and f"the last night, {date(14)}: {said}, and no night had a figure" in err, err
        assert ("failed" in [line.split()[-1] for line in out.splitlines() if line.startswith("1 ")]) == (status != "interrupted"), out
    crashed = [row(night, **FAILED) for night in range(13)]
    slept = row(13, flags="suspended")
    assert gate(tmp_path, [*crashed, slept, row(14, **FAILED)])[0] == 4  # of a suspended night no figure is true
    assert gate(tmp_path, [*crashed, row(13, **{**FAILED, "status": "oom_device"})])[0] == 4  # nights before it did not run out of memory
    code, _, err = gate(tmp_path, [row(night, flags="suspended") for night in range(14)])
    assert code == 5 and "suspended, and no night had a figure" in err, err
    before = [row(night) for night in range(14)]
    assert gate(tmp_path, [*before, row(14, **{**FAILED, "status": "oom_device"})])[0] == 4  # it fitted until then


def test_a_failed_last_night_is_not_called_steady(tmp_path):
    code, out, err = gate(tmp_path, [*(row(night) for night in range(20)), row(20, **FAILED)])
    [line] = [line for line in out.splitlines() if line.startswith("1  Invented")]
    assert code == 4 and line.endswith("failed") and "steady" not in out, out
    good_start = row(20, name="good")
    code, out, err = gate(tmp_path, [*(row(night) for night in range(20)), row(20, **FAILED), good_start])
    assert code == 4 and "crash, although other rows are good" in err, err
    for status in ("interrupted", "skipped"):  # which excuses no crash
        odd = row(15, name="odd", **{**FAILED, "status": status})
        assert gate(tmp_path, [*(row(night) for night in range(20)), odd, row(20, **FAILED), good_start])[0] == 4
    cut_first = row(20, name="cut", **{**FAILED, "status": "interrupted"})
    assert gate(tmp_path, [*(row(night) for night in range(20)), cut_first, row(20, **FAILED)])[0] == 4


def test_a_last_night_without_a_figure_that_nights_before_had_is_not_decided(tmp_path):
    def nights(count, **last):
        return [row(night, vae_s="0.1") for night in range(count - 1)] + [row(count - 1, **{"vae_s": "0.1", **last})]

    assert gate(tmp_path, nights(20))[0] == 0
    for last, words in (({"vae_s": ""}, ": no vae_s (by vae_s)"), ({"flags": "suspended"}, ": suspended (by "),
                        ({**FAILED, "status": "interrupted"}, ": interrupted (by ")):
        code, _, err = gate(tmp_path, nights(20, **last))
        assert code == 5 and f"not decided: sd15 512x512, 50 steps, batch 1" in err and f"the last night, {date(19)}{words}" in err, err
    slower = [*slower_nights(), row(24, **{**FAILED, "status": "interrupted"})]
    assert gate(tmp_path, slower)[0] == 4  # it is slower, whatever was interrupted since


def test_a_metric_that_no_cell_has_is_not_decided(tmp_path):
    code, _, err = gate(tmp_path, [row(night) for night in range(20)], "--metric", "unet_it_s,epoch_s_first")
    assert code == 5 and "not decided: no cell has epoch_s_first" in err and "judged by unet_it_s\n" in err, err


def test_a_field_that_appears_is_a_change(tmp_path):
    for field, value in (("power_limit_w", "300"), ("driver_version", "580.10")):
        rows = [row(night, 1.06 if night >= 20 else 1.0, **{field: value if night >= 20 else ""}) for night in range(24)]
        code, out, err = gate(tmp_path, rows)
        assert code == 4 and f"{field} (none) -> {value}" in out + err, out + err


def warmer(night, more=""):
    return f"room_c={18 + night / 10:.1f}{more}"


def test_a_tag_that_changes_every_night_divides_no_cell_and_explains_nothing(tmp_path):
    write(tmp_path / "n.csv", [{**made, "tags": warmer(night, " site=a")} for night, made in enumerate(slower_nights())])
    [cell] = json.loads(trend(tmp_path, "n.csv", "--format", "json")[1])["trends"]
    [change] = cell["changes"]
    assert change["since"] == date(20) and [field["field"] for field in change["changed"]] == ["driver_version"]
    assert gate(tmp_path, [{**made, "tags": warmer(night)} for night, made in enumerate(slower_nights())])[0] == 4


def test_a_tag_that_was_changed_once_divides_no_cell_and_explains_a_change(tmp_path):
    rows = [row(night, 1.06 if night >= 20 else 1.0, tags=warmer(night) + f" x_cooler={'air' if night >= 20 else 'water'}") for night in range(24)]
    write(tmp_path / "n.csv", rows)
    [cell] = json.loads(trend(tmp_path, "n.csv", "--format", "json")[1])["trends"]
    assert cell["changes"][0]["changed"] == [{"field": "tags", "before": "x_cooler=water", "after": "x_cooler=air"}]


def test_tags_of_one_date_are_a_cell_for_each_whatever_else_changes(tmp_path):
    """Two calls a night, each of which says how warm the room is."""
    rows = [row(night, 1.2 if cooler == "air" else 1.0, name=cooler, tags=f"cooler={cooler} {warmer(2 * night + (cooler == 'air'))}")
            for night in range(14) for cooler in ("air", "water")]
    write(tmp_path / "n.csv", rows)
    cells = json.loads(trend(tmp_path, "n.csv", "--format", "json")[1])["trends"]
    assert sorted((cell["machine"].rsplit(", ", 1)[1], len(cell["nights"])) for cell in cells) == [("cooler=air", 14), ("cooler=water", 14)]
    [one] = json.loads(trend(tmp_path, "n.csv", "--format", "json", "--filter", "tag:cooler=air")[1])["trends"]
    assert len(one["nights"]) == 14
    assert trend(tmp_path, "n.csv", "-o", "shared.json")[0] == 0
    shared = json.loads((tmp_path / "shared.json").read_text())["trends"]
    assert len({cell["machine"] for cell in shared}) == 2 and all(re.search("tags=[0-9a-f]{6}$", cell["machine"]) for cell in shared)


def test_markdown_has_what_the_terminal_shows(tmp_path):
    write(tmp_path / "n.csv", slower_nights(device_name="NVIDIA GeForce RTX 4070 Ti SUPER"))
    shown = trend(tmp_path, "n.csv")[1]
    markdown = trend(tmp_path, "n.csv", "--format", "md")[1]
    for words in ("baseline", "relative", "trend", "nights", "last figure", "night to night"):
        assert words in shown and words in markdown, words
    assert "no room for" not in markdown


def test_baselines_and_changes_stand_in_pages_and_in_80_columns(tmp_path):
    cards = [made for card in ("a", "b") for made in slower_nights(name=card, device_name="Invented RTX 9000 Laptop", device_uuid=f"GPU-{card}")]
    other = [row(night, name="x", model="sdxl", workload_id=8 * "07", device_name="Invented RTX 9000 Laptop", device_uuid="GPU-a") for night in range(24)]
    for rows in (cards, cards + other):
        write(tmp_path / "n.csv", rows)
        for form in ("md", "org", "html"):
            out = trend(tmp_path, "n.csv", "--format", form)[1]
            assert "no room for" not in out and "baseline" in out and "relative" in out, out
        out = re.sub(r"\x1b\[\d+m", "", seen(tmp_path, 80, "trend", "n.csv")).replace("\r", "")
        cells, changes = out.split("Their nights")[0], out.split("Changes\n")[1]
        assert "baseline" in cells and "before" in changes and "after" in changes and "driver_version 570.86 -> 580.10" in changes, out


@pytest.mark.parametrize("form", ["txt", "md", "org", "html", "json", "xml"])
def test_each_form_is_a_file_that_is_replaced_and_names_no_host(tmp_path, form):
    write(tmp_path / "n.csv", slower_nights(host="secret-desk"))
    for _ in range(2):
        code, out, err = trend(tmp_path, "n.csv", *LIMIT, "-o", f"t.{form}")
        assert (code, out) == (4, ""), err
    text = (tmp_path / f"t.{form}").read_text()
    assert date(20) in text and "580.10" in text and "secret-desk" not in text
    (tmp_path / f"t.{form}").write_text("something of mine\n")
    code, _, err = trend(tmp_path, "n.csv", *LIMIT, "-o", f"t.{form}")
    assert code == 1 and "would be lost" in err
    assert trend(tmp_path, "n.csv", *LIMIT, "-o", f"t.{form}", "--overwrite")[0] == 4


def test_a_title_stands_above_what_people_read(tmp_path):
    write(tmp_path / "n.csv", slower_nights())
    for form in ("table", "md", "org", "html"):
        code, out, err = trend(tmp_path, "n.csv", "--metric", "images_per_min,unet_it_s", "--format", form, "--title", "Nights of desk")
        assert (code, err) == (0, "") and out.count("Nights of desk") == (2 if form == "html" else 1), out
    for _ in range(2):  # its own file is written again
        assert trend(tmp_path, "n.csv", "--title", "Nights", "-o", "t.txt")[0] == 0
    code, _, err = trend(tmp_path, "n.csv", "--format", "json", "--title", "a")
    assert code == 2 and "a format for people" in err and err.count("\n") == 1


@pytest.mark.parametrize("changed", [
    {"kernel": ("6.1", "6.8")}, {"cudnn_version": ("9.19", "9.21"), "runtime_version": ("2.11", "2.12")}, {"attention_used": ("flash", "cudnn")},
    {"device_memory_bytes": ("25769803776", "25757220864")}, {"core_count": ("8", "7"), "asked_threads": ("0", "0"), "threads": ("8", "7")}])
def test_what_changes_on_a_machine_neither_hides_a_loss_nor_its_cause(tmp_path, changed):
    rows = [row(night, 1.06 if night >= 20 else 1.0, **{field: values[night >= 20] for field, values in changed.items()}) for night in range(24)]
    code, out, err = gate(tmp_path, rows)
    assert code == 4 and out.count("slower since") == 1, out
    for field, (before, after) in changed.items():
        assert before == after or f"{field} {before} -> {after}" in err, err


def test_junit_has_a_case_for_each_cell_and_metric(tmp_path):
    write(tmp_path / "n.csv", [*slower_nights(), *(row(night, name="x", model="sdxl <1>", workload_id=8 * "07") for night in range(24)),
                               *(row(night, name="y", model="new", workload_id=8 * "08") for night in range(20, 24))])
    code, out, _ = trend(tmp_path, "n.csv", *LIMIT, "--metric", "images_per_min", "--format", "junit")
    assert code == 4
    suite = xml.fromstring(out)[0]
    assert {name: suite.get(name) for name in ("tests", "failures", "skipped", "errors")} == {"tests": "3", "failures": "1", "skipped": "1", "errors": "0"}
    kinds = {case.get("classname").split(" 512")[0]: case[0].tag for case in suite}
    assert kinds == {"sd15": "failure", "sdxl <1>": "system-out", "new": "skipped"}
    assert "driver_version 570.86 -> 580.10" in suite.find(".//failure").get("message")
    code, _, err = trend(tmp_path, "n.csv", "--format", "junit")
    assert code == 2 and "--fail-if-slower" in err


def test_bad_input_is_one_line(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "none.csv").write_text("")
    write(tmp_path / "one.csv", [row(0)])
    for arguments, expected, words in ((["empty"], 1, "the files hold none"), (["none.csv"], 1, "the files hold none"), ([], 2, "must be followed"),
                                       (["gone.csv"], 2, "gone.csv"), (["one.csv", "--metric", "host"], 2, "--metric"),
                                       (["one.csv", "--fail-if-slower", "3"], 2, "percentage"), (["one.csv", "--filter", "host=zulu"], 2, "zulu"),
                                       (["one.csv", "-o", "t.db"], 2, "-o must end in"), (["one.csv", "--format", "csv"], 2, "--format must be")):
        code, out, err = trend(tmp_path, *arguments)
        assert (code, out) == (expected, "") and words in err and err.count("\n") == 1, (arguments, err)


def test_one_night_is_no_trend(tmp_path):
    write(tmp_path / "one.csv", [row(0), {**row(0, name="b"), "time_utc": f"{date(0)}T01:00:00Z"}])
    code, out, err = trend(tmp_path, "one.csv")
    assert code == 0 and "too few nights" in out and err == f"sdbench: all rows are of one night, {date(0)}: a trend needs several nights\n"
    assert trend(tmp_path, "one.csv", *LIMIT)[0] == 5


def test_clocks_that_were_wrong_are_named_and_move_no_night(tmp_path):
    rows = [row(night) for night in range(12)]
    rows[3]["time_utc"], rows[4]["time_utc"], rows[5]["time_utc"] = "1970-01-01T00:00:09Z", "2999-01-01T00:00:00Z", ""
    rows.append(row(2, name="late"))
    write(tmp_path / "n.csv", rows)
    code, out, err = trend(tmp_path, "n.csv", "--format", "json")
    assert code == 0
    assert [line.split(":")[1] for line in err.splitlines()] == [" left out, because they have no date", " left out, because their clock was not set",
                                                                 " left out, because their dates are in the future", " dates go back in a file"]
    assert [night["date"] for night in json.loads(out)["trends"][0]["nights"]] == [date(night) for night in (0, 1, 2, *range(6, 12))]


def test_two_cards_of_one_name_are_two_lines(tmp_path):
    write(tmp_path / "n.csv", [row(night, 1 + place * 0.2, name=uuid, device_uuid=uuid) for night in range(12) for place, uuid in enumerate(("GPU-a", "GPU-b"))])
    code, out, err = trend(tmp_path, "n.csv", "--format", "json")
    cells = json.loads(out)["trends"]
    assert (code, err) == (0, "") and sorted(cell["machine"].rsplit(" ", 1)[1] for cell in cells) == ["GPU-a", "GPU-b"]
    assert all(len(cell["nights"]) == 12 and not cell["changes"] for cell in cells)


def test_rows_of_one_night_that_do_not_tell_their_card_are_named_once(tmp_path):
    def said(**more):
        write(tmp_path / "n.csv", [row(night, 1 + place * 0.2, name=str(place), **more) for night in range(12) for place in (0, 1)])
        return trend(tmp_path, "n.csv")[2]

    words = f"sdbench: {date(0)}, Invented RTX 9000: rows have neither device_uuid nor device_index; a figure may be the mean of several cards of this name\n"
    assert said(device_uuid="") == words
    assert said() == "" and said(device_uuid="", device_index="1") == ""
    assert said(device_uuid="", device_kind="cpu") == ""


@pytest.mark.parametrize("field, values", [("runtime_version", ("2.10.0", "2.11.0")), ("engine_revision", ("5", "6")), ("driver_version", ("570.1", "580.2"))])
def test_a_night_of_two_versions_of_software_is_named_once(tmp_path, field, values):
    def said(of_night):
        write(tmp_path / "n.csv", [row(night, name=f"{place}", **{field: value}) for night in range(12) for place, value in enumerate(of_night(night))])
        return trend(tmp_path, "n.csv")[2]

    assert said(lambda night: values) == (f"sdbench: {date(0)}, Invented RTX 9000: its rows have more than one {field}, and its figure is their mean; "
                                          f"--filter {field}={values[0]} selects one\n")
    assert said(lambda night: values[:1] if night < 6 else values[1:]) == ""
    if field != "engine_revision":  # which each row must have
        assert said(lambda night: ("", values[0])) == ""
