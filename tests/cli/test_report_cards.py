"""The page of `sdbench report` for many cards: what stands at bars, on paper, in saved pictures, and where scripts may not run."""

import base64
import json
import re
import struct
from pathlib import Path

import pytest
from browser import Browser
from ids import with_ids
from made_up_cards import KINDS, made_up_cards, out_of_memory, write_rows
from pdf import sheets
from program import run

SMALLEST = "NVIDIA GeForce RTX 3060"
SDXL4 = "sdxl 1024x1024, 20 steps, batch 4"
PIXEL_WIDTHS = (830, 1660)
MARGIN_PT = 34  # 12 mm
HEADING_PT = 9.75  # of h2 on paper: 13 pixels


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("cards")
    write_rows(made / "eight.jsonl", made_up_cards(8))
    write_rows(made / "forty.jsonl", made_up_cards(40, restarts=1))
    for name in ("eight", "forty"):
        code, _, err = run(made, "report", f"{name}.jsonl", "--private", "-o", f"{name}.html")
        assert code == 0 and "left out" not in err, err
    return made


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    running = Browser(tmp_path_factory.mktemp("browser"))
    yield running
    running.close()


def shown(browser, file, width=1400, scheme="light"):
    browser.size(width, 900)
    browser.prefer(scheme)
    browser.open(file)
    browser.wait_for("document.querySelectorAll('canvas').length > 3")


def of_cards(browser, folder, name):
    """The page, opened once for tests in turn that leave it as it was."""
    if browser.shows != name:
        shown(browser, folder / f"{name}.html")
        browser.shows = name
    yield browser
    assert browser.complaints() == []


@pytest.fixture
def eight(browser, folder):
    yield from of_cards(browser, folder, "eight")


@pytest.fixture
def forty(browser, folder):
    yield from of_cards(browser, folder, "forty")


@pytest.fixture
def fresh(browser, folder):
    browser.shows = None
    yield from of_cards(browser, folder, "eight")
    browser.shows = None


def body(browser, section):
    return browser.evaluate(f"document.querySelector('#{section}').innerText")


def bars(browser):
    """By workload: (name, text) of each bar, from above."""
    charts = browser.evaluate("""[...document.querySelectorAll('#bars figure')].map((figure) => {
      const {data} = Chart.getChart(figure.querySelector('canvas'));
      return [figure.querySelector('strong').innerText, data.labels.map((label, i) => [label[0], data.datasets[0].texts[i]])];
    })""")
    return {title.partition(": ")[2]: named for title, named in charts}


def test_each_bar_bears_its_machine_and_its_figure(eight):
    charts = bars(eight)
    assert len(charts) == 4
    for workload, named in charts.items():
        assert len(named) == (6 if workload == SDXL4 else 8)
        assert {name for name, _ in named} <= set(KINDS)
        figures = [float(text) for _, text in named]
        assert figures == sorted(figures, reverse=True)
    drawn = eight.evaluate("""(() => {
      const canvas = document.querySelector('#bars canvas');
      const chart = Chart.getChart(canvas);
      const [bar] = chart.getDatasetMeta(0).data;
      const pixels = canvas.getContext('2d').getImageData(Math.ceil(bar.x) + 14, bar.y - 8, 30, 16).data;
      return pixels.filter((value, i) => i % 4 === 3 && value > 128).length;
    })()""")
    assert drawn > 50  # ink behind the longest bar


def test_each_stacked_bar_bears_its_machine_and_its_parts(eight):
    labels, sets = eight.evaluate("""(({labels, datasets}) => [labels, datasets.map(({label, data, texts, ends}) => [label, data, texts, ends])])(
      Chart.getChart(document.querySelector('#stages canvas')).data)""")
    assert labels[0] == ["NVIDIA H100 80GB HBM3", "fp16, sdbench tuned"] and len(labels) == 16
    assert [name for name, *_ in sets] == ["text encoder", "UNet", "VAE", "between the stages"]
    assert all(text.startswith(name + " ") for name, _, texts, _ in sets for text in texts)
    assert sets[-1][3][0] == "158 ms" and sum(data[0] for _, data, *_ in sets) == pytest.approx(60 / 380.6, rel=5e-3)


def test_figures_and_verdicts_are_those_of_compare(browser, folder, tmp_path):
    rows = [row for row in made_up_cards(8) if row["engine"] == "tuned"]
    write_rows(tmp_path / "tuned.jsonl", rows)
    code, _, err = run(tmp_path, "report", "tuned.jsonl", "--private", "-o", "tuned.html")
    assert code == 0, err
    shown(browser, tmp_path / "tuned.html")
    _, terminal, _ = run(tmp_path, "compare", "tuned.jsonl")
    grid = {line.split("  ")[0]: line for line in terminal.splitlines() if line.startswith(tuple(KINDS))}
    assert len(grid) == 8
    for workload, named in bars(browser).items():
        assert workload in terminal
        for name, text in named:
            assert re.search(rf"\s{re.escape(text)}, ", grid[name]), (workload, name, text)
    verdicts = browser.evaluate("[...document.querySelectorAll('#answer .verdict')].map((line) => line.innerText)")
    words = " ".join(terminal.split())
    assert len(verdicts) == 4
    for verdict in verdicts:
        assert "times as fast as" in verdict and "within one session" in verdict and verdict in words, verdict


def test_what_failed_is_named_in_the_answer(eight):
    cards = eight.evaluate("[...document.querySelectorAll('#answer article')].map((card) => card.innerText)")
    [card] = [text for text in cards if "OOM" in text]
    assert card.startswith(SDXL4) and f"{SMALLEST}: OOM in sdxl batch 4" in card
    assert card.count("OOM") == 2  # two cards, each after three restarts


def test_memory_that_ran_out_is_one_word_wherever_people_read_it(eight, folder):
    assert "oom_" not in eight.evaluate("document.body.innerText") and "oom_device" in eight.evaluate("document.getElementById('data').textContent")
    head, *table = runs(eight)
    assert {row[head.index("status")] for row in table} == {"ok", "OOM"}
    assert eight.evaluate("document.querySelector('#failed tbody td').innerText") == "OOM"
    rows = re.search(r'<div id="without-script">(.*?)</table>', (folder / "eight.html").read_text(), re.DOTALL)[1]
    assert ">OOM<" in rows and "oom_" not in rows


def test_a_work_that_fits_no_card_is_named_too(browser, tmp_path):
    rows = made_up_cards(1)
    card = {name: rows[0][name] for name in ("device_name", "host", "device_uuid")}
    rows += [with_ids({**out_of_memory(row), **card, "run_id": f"x{i}", "batch": 64, "images": 64})
             for i, row in enumerate(rows) if row["model"] == "sdxl" and row["batch"] == 4]
    write_rows(tmp_path / "rows.jsonl", rows)
    assert run(tmp_path, "report", "rows.jsonl", "-o", "rows.html")[0] == 0
    shown(browser, tmp_path / "rows.html")
    assert "No machine has a figure of these:" in body(browser, "answer") and ": OOM in sdxl batch 64" in body(browser, "answer")


def runs(browser):
    return browser.evaluate("[...document.querySelectorAll('#runs tr')].map((row) => [...row.cells].map((cell) => cell.innerText.replace(/ [▲▼]$/, '')))")


def test_seconds_and_steps_stand_beside_images_a_minute_everywhere(fresh):
    card = fresh.evaluate("document.querySelector('#answer article').innerText")
    assert "0.158 s/image, 141 it/s." in card and "NVIDIA GeForce RTX 4090: 290 images/min, 0.207 s/image, 107 it/s" in card.replace("108 it/s", "107 it/s")
    fresh.evaluate("document.querySelector('#bars summary').click()")
    bars_table = fresh.evaluate("new Promise((done) => setTimeout(() => done([...document.querySelectorAll('#bars figure tr')].map((row) => [...row.cells].map((cell) => cell.innerText))), 200))")
    assert bars_table[0][3:9] == ["images/min", "95 % from", "to", "rows", "s/image", "it/s"]
    assert bars_table[1][3] == "381" and bars_table[1][7:9] == ["0.158", "141"]
    head, *table = runs(fresh)
    assert head[:6] == ["machine", "workload", "setting", "images/min", "s/image", "it/s"] and "end to end, s" not in head
    assert table[0][:6] == ["NVIDIA H100 80GB HBM3", "sd15 512x512, 20 steps, batch 1", "fp16, sdbench tuned", "381", "0.158", "141"]


@pytest.mark.parametrize("vae_s, words", [(4.2, "vae_s is 4.20 s of a run, and there 500 ms"),
                                          (0.5, "the time between the stages is 3.70 s of a run, and there 200 ms")])
def test_the_stage_that_ranks_cards_otherwise_than_the_unet_is_named_as_by_compare(browser, tmp_path, vae_s, words):
    work = {"schema_version": 4, "status": "ok", "task": "generate", "model": "sd15", "width": 512, "height": 512, "steps": 20, "batch": 1, "images": 1,
            "step_count": 60, "repeat": 3, "device_kind": "cuda", "text_s": 0.1}
    quick_unet = {**work, "run_id": "a", "device_name": "A", "unet_it_s": 10, "unet_s": 2, "vae_s": vae_s, "e2e_s": 6.3, "images_per_min": 60 / 6.3}
    quick_vae = {**work, "run_id": "b", "device_name": "B", "unet_it_s": 8, "unet_s": 2.5, "vae_s": 0.5, "e2e_s": 3.3, "images_per_min": 60 / 3.3}
    write_rows(tmp_path / "two.jsonl", [quick_unet, quick_vae])
    remark = f"A has more UNet it/s than B, but fewer images/min: {words}"
    assert remark in run(tmp_path, "compare", "two.jsonl")[1]
    assert run(tmp_path, "report", "two.jsonl", "--private", "-o", "two.html")[0] == 0
    browser.size(1400, 900)
    browser.open(tmp_path / "two.html")
    assert f"{remark}." in body(browser, "answer")
    assert browser.complaints() == []


def test_a_figure_that_one_batch_alone_tells_is_no_curve(eight):
    titles = eight.evaluate("[...document.querySelectorAll('#batch strong')].map((title) => title.innerText)")
    assert [title.partition(":")[0] for title in titles] == ["Images per minute", "Peak memory"]  # a second of measuring: at batch 8 alone


def test_of_many_curves_the_fastest_are_drawn_and_all_told(browser, folder):
    shown(browser, folder / "forty.html")
    charts = browser.evaluate("""[...document.querySelectorAll('#batch canvas')].map((canvas) => Chart.getChart(canvas).data.datasets
      .map(({label, borderColor, pointStyle, data}) => [label, borderColor, pointStyle, data.map(({y}) => y)]))""")
    drawn = charts[0]
    assert len(drawn) == 8 == len({colour for _, colour, *_ in drawn}) == len({shape for _, _, shape, _ in drawn})
    assert [label.split(",")[0] for label, *_ in drawn[:5]] == [f"NVIDIA H100 80GB HBM3 on desk{place}" for place in (8, 16, 24, 32, 40)]
    best = [max(speeds) for *_, speeds in drawn]
    assert best == sorted(best, reverse=True)
    assert "Of 40 curves the 8 that reach the most images/min are drawn; the tables below" in body(browser, "batch")
    browser.evaluate("document.querySelector('#batch summary').click()")
    assert browser.wait_for("document.querySelectorAll('#batch figure tbody tr').length") == 40 * 2


def test_money_has_a_bar_of_each_machine_and_work_as_speed_has(forty):
    counts = forty.evaluate("""['bars', 'money'].map((id) => [...document.querySelectorAll(`#${id} canvas`)]
      .reduce((sum, canvas) => sum + Chart.getChart(canvas).data.labels.length, 0))""")
    assert counts[0] == 3 * 40 + 30 and counts[1] == 110 and "left out" not in body(forty, "money")  # 40 rows have no energy


def test_paper_names_no_filter_for_what_is_left_out(forty):
    words = "56 slower lines are left out"
    assert f"{words}; use the filter." in body(forty, "steps")
    forty.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert f"{words}." in body(forty, "steps") and "use the filter" not in forty.evaluate("document.querySelector('main').innerText")
    forty.evaluate("window.dispatchEvent(new Event('afterprint'))")


def test_on_paper_a_table_repeats_its_heading_on_each_sheet(forty):
    """Chromium repeats no button, and Firefox keeps no heading beside its chart unless room is reserved."""
    forty.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    heads = forty.evaluate("[...document.querySelectorAll('#runs th')].map((cell) => [cell.innerText, cell.children.length])")
    rooms = forty.evaluate("[...document.querySelectorAll('main > section:not([hidden]) > h2')].map((heading) => parseInt(heading.style.getPropertyValue('--room')))")
    forty.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert heads[0] == ["machine", 0] and all(children == 0 for _, children in heads)
    assert len(rooms) > 8 and max(rooms) > 400 and min(rooms) >= 60


def test_restarts_are_one_line_of_each_chart_and_table(fresh):
    head, *table = runs(fresh)
    assert len(table) == 8 * 6 and {row[head.index("rows")] for row in table} == {"3"}
    assert "48 of 48 measurements" in body(fresh, "runs")
    assert fresh.evaluate("document.querySelectorAll('#failed tbody tr').length") == 2
    assert fresh.evaluate("Chart.getChart(document.querySelector('#steps canvas')).data.datasets.length") == 16
    points = fresh.evaluate("Chart.getChart(document.querySelector('#roofline canvas')).data.datasets.filter((set) => set.pointRadius > 0)"
                            ".reduce((sum, set) => sum + set.data.length, 0)")
    assert points == 8 * 6 - 2
    fresh.evaluate("(() => { const list = document.querySelector('#runs select'); list.value = '1'; list.dispatchEvent(new Event('change')); })()")
    assert fresh.evaluate("document.querySelectorAll('#runs tbody tr').length") == 100 and "100 of 144 rows" in body(fresh, "runs")


def test_times_of_a_step_stand_by_machine_the_fastest_first(eight):
    names = eight.evaluate("Chart.getChart(document.querySelector('#steps canvas')).data.datasets.map((set) => set.label)")
    by_speed = sorted(KINDS, key=lambda name: KINDS[name][0])
    assert names == [f"{name}, fp16, sdbench {engine}" for name in by_speed for engine in ("tuned", "plain")]


def test_sections_without_anything_are_not_there(fresh):
    there = fresh.evaluate("[...document.querySelectorAll('main > section')].filter((section) => !section.hidden).map((section) => section.id)")
    assert there == ["answer", "paid", "bars", "batch", "stages", "steps", "fit", "roofline", "money", "runs", "failed", "about"]
    links = fresh.evaluate("[...document.querySelectorAll('#sections a')].filter((link) => !link.hidden).map((link) => link.hash.slice(1))")
    assert links == there
    fresh.evaluate("document.querySelector('#about .absent summary').click()")
    assert "Sensors over time No samples here: run with --telemetry FILE.csv" in body(fresh, "about")


def test_every_chart_is_saved_as_a_picture_of_two_widths(browser, folder, tmp_path):
    shown(browser, folder / "eight.html", 390)
    browser.ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    charts = browser.evaluate("document.querySelectorAll('figure canvas').length")
    assert browser.evaluate("document.querySelectorAll('figure .save button').length") == 2 * charts
    for place, width in enumerate(PIXEL_WIDTHS):
        browser.evaluate(f"document.querySelectorAll('#bars .save button')[{place}].click()")
        file = tmp_path / f"images-min-sd15-512x512-20-steps-batch-1-{width}.png"
        for _ in range(200):
            if file.exists():
                break
            browser.evaluate("new Promise((done) => setTimeout(done, 50))")
        picture = file.read_bytes()
        assert picture[:8] == b"\x89PNG\r\n\x1a\n" and picture[-8:-4] == b"IEND"
        across, down = struct.unpack(">II", picture[16:24])
        assert across == width and 0.3 * width < down < 0.7 * width
    assert browser.complaints() == []


def with_facts(folder, count):
    """The page of eight cards, of which the first `count` have prices."""
    write_rows(folder / "rows.jsonl", made_up_cards(8, restarts=1))
    (folder / "facts.csv").write_text("gpu,price,hourly,kwh_price,currency,date,source\n" + "".join(
        f"{name},{1000 + place},0.{place + 1},0.3,EUR,2026-11-20,shop\n" for place, name in enumerate(list(KINDS)[:count])))
    assert run(folder, "report", "rows.jsonl", "--facts", "facts.csv", "--private", "-o", "rows.html")[0] == 0
    return folder / "rows.html"


def test_no_two_charts_have_one_title_or_one_picture(browser, tmp_path):
    shown(browser, with_facts(tmp_path, 4))
    titles = browser.evaluate("[...document.querySelectorAll('figure strong')].map((title) => title.innerText)")
    assert sum(title.startswith("Images an hour for a unit of its price") for title in titles) > 1  # several charts of one kind
    assert len(set(titles)) == len(titles), sorted(titles)
    pressed = browser.evaluate("""(() => {
      window.saved = [];
      HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); };
      const buttons = document.querySelectorAll('figure .save button');
      buttons.forEach((button) => button.click());
      return buttons.length;
    })()""")
    files = browser.wait_for(f"window.saved.length === {pressed} && window.saved")
    assert pressed == 2 * len(titles) and len(set(files)) == pressed, sorted(files)


def printed(browser):
    return base64.b64decode(browser.ask("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])


@pytest.mark.parametrize("width, scheme", [(1400, "light"), (390, "dark")])
def test_eight_cards_fit_six_pages_whose_headings_stay_with_their_charts(browser, folder, width, scheme):
    shown(browser, folder / "eight.html", width, scheme)
    paper = sheets(printed(browser))
    assert 3 <= len(paper) <= 6
    assert sum(abs(size - HEADING_PT) < 0.1 for sheet in paper for _, _, size in sheet.texts) >= 8  # they are found at all
    for sheet in paper:
        assert not sheet.ends_in_heading(HEADING_PT)
        for left, bottom, _ in sheet.texts:  # those of charts, too, which are drawn anew for paper
            assert MARGIN_PT - 1 < left < sheet.width - MARGIN_PT and MARGIN_PT - 1 < bottom < sheet.height - MARGIN_PT


def test_what_is_chosen_in_a_section_and_so_not_printed_is_named_on_paper(eight):
    notes = "[...document.querySelectorAll('#batch .printed, #stages .printed, #steps .printed, #fit .printed')].map((note) => note.innerText)"
    assert eight.evaluate(notes) == []
    eight.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    batch, stages, steps, *fits = eight.evaluate(notes)
    eight.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert batch == "Work sd15 512x512, 20 steps. Not printed: sdxl 1024x1024, 20 steps."
    for words in (stages, steps):
        first, others = words.rstrip(".").split(". Not printed: ")
        assert first == "Workload sd15 512x512, 20 steps, batch 1"
        assert sorted(others.split("; ")) == ["sd15 512x512, 20 steps, batch 8", "sdxl 1024x1024, 20 steps, batch 1", SDXL4]
    assert len(fits) == 1 and fits[0].startswith("Work sd15 512x512, 20 steps, batch 1") and re.search(r"; \d+ more\.$", fits[0])


def test_a_card_has_one_colour_in_every_chart_and_rank(eight):
    """Its first setting has it: others of the same chart get what is left, so that points can be told apart."""
    charts = eight.evaluate("""Object.values(Chart.instances).filter(({config}) => !config.options.scales.x.stacked).map(({config: {type, data}}) => type === "bar" ?
      data.labels.map((label, i) => [label[0], data.datasets[0].backgroundColor[i]]) : data.datasets.map(({label, borderColor}) => [label, borderColor]))""")
    colours = {name: set() for name in KINDS}
    for chart in charts:
        first = {}
        for label, colour in chart:
            first.setdefault(label.partition(",")[0], colour)
        for name in colours.keys() & first.keys():
            colours[name].add(first[name])
    assert len(charts) > 8 and all(len(found) == 1 for found in colours.values()), colours
    assert len(set.union(*colours.values())) == len(KINDS)


OVERLAPS = """[...document.querySelectorAll('#bars canvas, #stages canvas, #steps canvas, #money canvas')].map((canvas) => Chart.getChart(canvas))
  .filter(({scales: {y}}) => Array.isArray(y.ticks[0].label)).map(({width, height, scales: {y}}) => {
    const {lineHeight} = y._resolveTickFontOptions(0);
    const ends = y.ticks.map(({label}, i) => [-1, 1].map((side) => y.getPixelForTick(i) + side * label.length * lineHeight / 2)).sort(([a], [b]) => a - b);
    return {names: ends.length, gap: Math.min(1000, ...ends.slice(1).map(([top], i) => top - ends[i][1])), above: ends[0][0], below: height - ends.at(-1)[1]};
  })"""


@pytest.mark.parametrize("count", [1, 2, 3, 8, 16])
def test_no_two_names_of_a_chart_touch_on_screen_on_paper_or_in_a_picture(browser, tmp_path, count):
    write_rows(tmp_path / "rows.jsonl", [row for row in made_up_cards(count, restarts=1) if row["engine"] == "tuned" and row["model"] == "sd15"])
    assert run(tmp_path, "report", "rows.jsonl", "--private", "-o", "rows.html")[0] == 0
    for width in (1400, 1000, 390):
        shown(browser, tmp_path / "rows.html", width)
        for medium in ("screen", "paper"):
            if medium == "paper":
                browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
            charts = browser.evaluate(OVERLAPS)
            assert {count} <= {chart["names"] for chart in charts} and len(charts) >= 3
            for chart in charts:
                assert chart["gap"] >= 3 and chart["above"] > 0 and chart["below"] > 0, (width, medium, chart)
        browser.evaluate("window.dispatchEvent(new Event('afterprint'))")
    steps = browser.evaluate("""[...document.querySelectorAll('#stages .save button:first-of-type')].map((button) => {
      const draw = HTMLCanvasElement.prototype.toBlob;
      let step;
      HTMLCanvasElement.prototype.toBlob = function () {
        const {scales: {y}, chartArea} = Chart.getChart(this);
        step = (chartArea.bottom - chartArea.top) / y.ticks.length / Math.max(...y.ticks.map(({label}) => label.length)) / y._resolveTickFontOptions(0).lineHeight;
      };
      button.click();
      HTMLCanvasElement.prototype.toBlob = draw;
      return step;
    })""")
    assert steps and all(step > 1.1 for step in steps), steps


@pytest.mark.parametrize("count", [3, 5, 8])
def test_eight_cards_with_prices_of_some_or_all_fit_six_pages(browser, tmp_path, count):
    shown(browser, with_facts(tmp_path, count))
    titles = browser.evaluate("[...document.querySelectorAll('#money strong')].map((title) => title.innerText)")
    rented = [title for title in titles if title.startswith("Cost of 1,000 images, rented")]
    assert len(rented) == (2 if count == 3 else 4), titles  # a chart of few bars holds several workloads, else each has its own
    paper = sheets(printed(browser))
    assert len(paper) < 6 or len(paper) == 6 and min(bottom for _, bottom, _ in paper[-1].texts) > paper[-1].height / 5  # room to spare


def test_on_paper_a_heading_keeps_no_more_room_than_its_first_chart_takes(browser, tmp_path):
    """Firefox moves a heading to the next sheet where this room is not left."""
    shown(browser, with_facts(tmp_path, 8), 703)  # what a sheet of A4 has between its margins
    browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    browser.evaluate("Object.values(Chart.instances).forEach((chart) => chart.unbindEvents())")  # as while printing, none is drawn for the sheet's width
    browser.ask("Emulation.setEmulatedMedia", media="print")
    rooms = browser.evaluate("""[...document.querySelectorAll('main > section:not([hidden])')].filter((section) => section.querySelector('figure'))
      .map((section) => {
      const heading = section.querySelector('h2');
      const taken = section.querySelector('figure').getBoundingClientRect().bottom - heading.getBoundingClientRect().bottom;
      return [section.id, parseInt(heading.style.getPropertyValue('--room')), taken];
    })""")
    browser.ask("Emulation.setEmulatedMedia", media="")
    browser.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert len(rooms) == 7
    for section, room, taken in rooms:
        assert taken - 3 < room < 1.15 * taken, (section, room, taken)


def test_paper_is_light_has_no_controls_and_leaves_the_screen_as_it_was(browser, folder):
    shown(browser, folder / "eight.html", 1400, "dark")
    choose = "(() => { const list = document.querySelector('#steps select'); list.value = '2'; list.dispatchEvent(new Event('change')); })()"
    browser.evaluate(choose)
    title = "document.querySelector('#steps strong').innerText"
    chosen = browser.evaluate(title)
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = browser.evaluate(ground)
    browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    browser.ask("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert browser.evaluate(ground) == "rgb(255, 255, 255)" and browser.evaluate(title) == chosen
    pressable = "a, select, input, summary, button"
    seen = browser.evaluate(f"[...document.querySelectorAll('{pressable}')].filter((thing) => thing.getClientRects().length).length")
    assert seen == 0
    browser.ask("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert browser.evaluate(ground) == dark and browser.evaluate(title) == chosen


@pytest.mark.parametrize("policy", ["script-src 'none'", "default-src 'none'; style-src 'self'"])
def test_without_script_and_without_style_the_rows_are_a_table(browser, folder, tmp_path, policy):
    """As a host's header does, which a meta element stands for here."""
    file = tmp_path / "forbidden.html"
    file.write_text((folder / "eight.html").read_text().replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">', 1))
    browser.size(1400, 900)
    browser.open(file)
    text = browser.evaluate("document.body.innerText")
    assert "did not run here" in text and "Which is fastest?" not in text and "Show rows with" not in text
    table = browser.evaluate("[...document.querySelectorAll('#without-script tr')].map((row) => [...row.cells].map((cell) => cell.innerText))")
    assert len(table) == 1 + 144
    assert table[0][:8] == ["card", "work", "images/min", "s/image", "it/s", "status", "setting", "peak memory"] and len(table[0]) < 12
    assert table[1] == ["NVIDIA H100 80GB HBM3 on desk8", "sd15 512x512, 20 steps, batch 1", "382", "0.157", "142", "ok", "fp16, cudnn+flash, sdbench tuned", "2.39 GiB", *table[1][8:]]
    speeds = {row[table[0].index("images/min")] for row in table[1:]}
    assert "380" in speeds and all(re.fullmatch(r"|\d+(\.\d+)?", speed) for speed in speeds)
    browser.size(830, 900)
    right = "document.querySelector('#without-script th:nth-child(5)').getBoundingClientRect().right"
    assert browser.evaluate(right) < 600  # it/s is in sight without scrolling
    assert browser.evaluate("getComputedStyle(document.querySelector('#without-script td')).borderStyle") != "none"


@pytest.mark.parametrize("width", [830, 1000, 1400])
def test_without_script_a_row_has_two_lines_at_most(browser, folder, tmp_path, width):
    file = tmp_path / "forbidden.html"
    file.write_text((folder / "eight.html").read_text().replace("<head>", '<head><meta http-equiv="Content-Security-Policy" content="script-src \'none\'">', 1))
    browser.size(width, 900)
    browser.open(file)
    rows = browser.evaluate("""[...document.querySelectorAll('#without-script tbody tr')]
      .map((row) => [row.cells[5].innerText, row.getBoundingClientRect().height])""")
    line = 16 * 0.85 * 1.45
    assert len(rows) == 144 and max(height for status, height in rows if status == "ok") < 3 * line
    assert max(height for _, height in rows) < 10 * line  # with an error
    assert browser.evaluate("document.documentElement.scrollWidth") <= width


def test_the_script_hides_the_rows(eight):
    assert eight.evaluate("document.getElementById('without-script')") is None


def test_an_interval_of_equal_spreads_has_the_digits_of_compare(browser, tmp_path):
    """Where both machines spread alike, Welch's degrees of freedom are a whole number: the last digits must not make it the one below."""
    write_rows(tmp_path / "rows.jsonl", [row for row in made_up_cards(16, restarts=1) if row["model"] == "sd15" and row["batch"] == 8])
    assert run(tmp_path, "report", "rows.jsonl", "--private", "-o", "rows.html")[0] == 0
    _, terminal, err = run(tmp_path, "compare", "rows.jsonl")
    interval = re.search(r"times as fast as .*?\(([^)]+) to ([^),]+)", " ".join(terminal.split())).groups()
    browser.open(tmp_path / "rows.html")
    verdict = browser.wait_for("document.querySelector('#answer .verdict').innerText")
    assert f"({interval[0]} to {interval[1]}," in verdict, (interval, verdict, err)


@pytest.mark.parametrize("title", ["W" * 200, "<b>bold</b> & <img src=x onerror=alert(1)>"])
def test_any_title_is_text_that_fits_the_window(browser, folder, title):
    assert run(folder, "report", "eight.jsonl", "--title", title, "-o", "titled.html", "--overwrite")[0] == 0
    shown(browser, folder / "titled.html", 390)
    assert browser.evaluate("[document.title, document.querySelector('h1').innerText]") == [title, title]
    assert browser.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("width", [1400, 800, 390])
def test_forty_cards_fit_the_window_with_whole_names_and_one_scale_in_all_parts_of_a_chart(browser, folder, width):
    shown(browser, folder / "forty.html", width)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    names = [name for named in bars(browser).values() for name, _ in named]
    assert len(names) == 3 * 40 + 30 and "NVIDIA L4 on desk3" in names  # ten have too little memory for the fourth work
    cut = browser.evaluate("""[...document.querySelectorAll('#bars canvas, #stages canvas, #steps canvas')].map((canvas) => Chart.getChart(canvas))
      .flatMap(({ctx, scales: {y}}) => y.ticks.flatMap(({label}) => [label].flat()).filter((words) => {
        ctx.font = y._resolveTickFontOptions(0).string;
        return ctx.measureText(words).width > y.width;
      }))""")
    assert cut == []
    assert browser.evaluate("Math.max(...[...document.querySelectorAll('#bars canvas')].map((canvas) => canvas.clientHeight))") < 1200
    assert_names_are_whole(browser)
    assert_parts_have_one_scale(browser, width)
    browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert_parts_have_one_scale(browser, width)
    browser.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert browser.complaints() == []


def assert_names_are_whole(browser):
    charts = browser.evaluate("""[...document.querySelectorAll('#bars canvas')].map((canvas) => [canvas.clientHeight,
      Chart.getChart(canvas).data.labels.map((label) => label.join(' ')), Math.max(...Chart.getChart(canvas).data.labels.map((label) => label.length))])""")
    assert charts
    for height, names, most_lines in charts:
        assert not [name for name in names if "…" in name] and len(set(names)) == len(names)
        assert height >= 14 * most_lines * len(names)


def assert_parts_have_one_scale(browser, width):
    ends = {}
    for title, end in browser.evaluate("""[...document.querySelectorAll('#bars figure, #money figure')].map((figure) =>
      [figure.querySelector('strong').innerText, Chart.getChart(figure.querySelector('canvas')).scales.x.max])"""):
        ends.setdefault(re.sub(r", \d of \d$", "", title), []).append(end)
    assert max(map(len, ends.values())) > 1 or width > 390, ends
    assert all(len(set(of_chart)) == 1 for of_chart in ends.values()), ends


INVENTED = str(Path(__file__).parents[1] / "data" / "compare")  # of works that others published


def holed(rows):
    """As a file in a folder with a long name that a shell must read in quotes: two cards lack a work each."""
    lacked = {("NVIDIA L4", "sdxl"), ("Tesla T4", "sd15")}
    return [row for row in rows if (row["device_name"], row["model"]) not in lacked]


def tables_of(browser, tmp_path, rows, *arguments):
    """The heads of a comparison's tables, each of which must fit a page of 830 pixels."""
    folder = tmp_path / "the rows of our cards, as they're now"
    folder.mkdir()
    file = write_rows(folder / "of all of the cards in the laboratory, in November.jsonl", rows)
    code, out, err = run(tmp_path, "compare", str(file), "--format", "html", *arguments)
    assert code == 0, err
    (tmp_path / "cards.html").write_text(out)
    browser.size(830, 900)
    browser.open(tmp_path / "cards.html")
    assert browser.evaluate("document.documentElement.scrollWidth") <= 830
    wide = json.loads(browser.evaluate("JSON.stringify([...document.querySelectorAll('.wide')].map(t => [t.scrollWidth, t.clientWidth]))"))
    assert wide and all(inside <= outside for inside, outside in wide), wide
    return browser.evaluate("[...document.querySelectorAll('table')].map((table) => [...table.rows[0].cells].map((cell) => cell.innerText))")


@pytest.mark.parametrize("count", [8, 40])
@pytest.mark.parametrize("arguments", [[], ["--missing"], ["--with-published", INVENTED], ["--baseline", "desk3"],
                                       ["--rows", "device_name,engine"]], ids=lambda words: words[0] if words else "usual")
def test_a_comparison_of_many_cards_fits_830_pixels(browser, tmp_path, count, arguments):
    heads = tables_of(browser, tmp_path, holed(made_up_cards(count, restarts=1)), *arguments)
    assert len(heads) >= 4
    detailed = [head for head in heads if "verdict" in head]
    assert detailed and all({"images/min", "s/image", "UNet it/s"} <= set(head) for head in detailed), heads
    assert "--with-published" not in arguments or any("where from" in head for head in heads)
    assert "--missing" not in arguments or any("command there" in head for head in heads)


@pytest.mark.parametrize("name", ["Card {}", "NVIDIA GeForce RTX 409{}", "unbroken" * 19 + "{}", "a name of many words " * 7 + "{}"],
                         ids=["short", "usual", "unbroken", "words"])
@pytest.mark.parametrize("engines", [{"tuned"}, {"tuned", "plain"}], ids=len)
@pytest.mark.parametrize("arguments", [[], ["--missing"], ["--title", "W" * 200]], ids=lambda words: words[0] if words else "usual")
def test_cards_of_short_and_of_very_long_names_fit_830_pixels(browser, tmp_path, name, engines, arguments):
    rows = [row for row in holed(made_up_cards(3)) if row["engine"] in engines]
    names = {kind: name.format("ABC"[place]) for place, kind in enumerate(dict.fromkeys(row["device_name"] for row in rows))}
    heads = tables_of(browser, tmp_path, [with_ids({**row, "device_name": names[row["device_name"]]}) for row in rows], *arguments)
    assert any("verdict" in head for head in heads), heads
