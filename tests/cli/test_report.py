"""`sdbench report`: what it refuses and leaves out, and its page in headless Chromium. The machines here are invented."""

import base64
import datetime
import json
import pathlib
import random
import re

import pytest
from browser import Browser
from made_up_nights import FIRST, RATES, TIMES, date, slower_nights
from made_up_nights import row as night_row
from made_up_nights import write as write_nights
from pdf import sheets
from program import run

GPUS = {"NVIDIA Test 900": (40, 24.0), "NVIDIA Test 500": (20, 11.5), "<script>alert(1)</script>": (10, 6.2)}
TELEMETRY = ("time_s,time_utc,run_id,cell_id,phase,device,uuid,load_percent,clock_hz,memory_clock_hz,temperature_c,power_w,energy_j,fan_percent,"
             "memory_used_bytes,memory_free_bytes,pcie_generation,pcie_width,memory_available_bytes,swap_used_bytes,swap_traffic_bytes,"
             "worker_rss_bytes,throttle_reasons,core_load_percent,problem")


def record(run_id, **more):
    """A good row of an invented GPU; fields that are left out are empty."""
    row = {"schema_version": 4, "run_id": run_id, "workload_id": "w1", "variant_id": "fp16", "env_id": "e", "cell_id": "c", "time_utc": "2026-11-22T08:00:00Z",
           "host": "testhost", "sdbench_version": "0.1.0", "engine": "plain", "engine_revision": 1, "runtime_version": "2.11.0", "round": 1, "restart": 1,
           "device": "cuda", "device_kind": "cuda", "compute_capability": "8.6", "model": "sd15", "weights": "synthetic:0", "width": 512, "height": 512,
           "steps": 20, "batch": 1, "images": 1, "guidance": 7.5, "seed": 0, "scheduler": "euler", "timestep_spacing": "linspace",
           "dtype_unet": "fp16", "dtype_vae": "fp16", "dtype_text": "fp16", "attention": "auto", "attention_used": "flash", "status": "ok", "repeat": 3}
    return {**row, **more}


def timed(run_id, name, it_s, batch=1, **more):
    """With times that fit together: `it_s` steps a second of batches, an image takes 5 % more than its steps."""
    unet_s = 20 / it_s
    minute = 60 * batch / (1.05 * unet_s)
    steps = random.Random(run_id)
    samples = [{"text_s": 0.01 * unet_s, "unet_s": unet_s, "vae_s": 0.03 * unet_s, "e2e_s": 1.05 * unet_s, "start_s": 0,
                "step_s": [(1 + 0.02 * steps.random()) / it_s for _ in range(20)]} for _ in range(3)]
    return record(run_id, device_name=name, env_id=f"env of {name}", workload_id=f"w{batch}", batch=batch, images=batch, sm_count=GPUS[name][0], sm_clock_hz_max=1.5e9,
                  unet_it_s=it_s, s_per_it=1 / it_s, images_per_min=minute,
                  text_s=0.01 * unet_s, unet_s=unet_s, unet_s_sd=0.005 * unet_s, vae_s=0.03 * unet_s, e2e_s=1.05 * unet_s, e2e_s_sd=0.005 * unet_s, step_s_p50=1.01 / it_s, step_s_p90=1.02 / it_s,
                  step_s_max=1.02 / it_s, step_count=60, unet_tflop=1.607 * batch, achieved_tflops=1.607 * batch * it_s,
                  peak_device_allocated_bytes=(3 + batch) * 2**30, j_per_image=300 / it_s, samples=samples, **more)


def rows():
    made = [timed(f"{place}-{batch}", name, it_s / batch**0.8, batch) for place, (name, (_, it_s)) in enumerate(GPUS.items()) for batch in (1, 2, 4)]
    made.append(record("failed", device_name="NVIDIA Test 500", env_id="env of NVIDIA Test 500", status="oom_device", stage="load",
                       error="load: </script><script>alert(2)</script> is too large"))
    made[0]["note"] = "</script><img src=x onerror=alert(3)>"
    made[1]["flags"] = "noisy throttled"
    return made


def telemetry(run_id):
    looks = [f'{i / 10},"2026-11-22T08:00:00Z","{run_id}","c","{"unet" if i < 80 else "vae"}","gpu0","u",99,1500000000,,{50 + i / 10},{200 + i % 7},,,,,,,,,,,'
             f'"{"sw_thermal_slowdown" if 30 < i < 50 else "none"}","",""' for i in range(100)]
    return looks


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    (folder / "gpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows()))
    (folder / "telemetry.csv").write_text("\n".join([TELEMETRY, *telemetry("0-1"), *telemetry("not here")]) + "\n")
    (folder / "prices.csv").write_text("gpu,price,currency,hourly,date,source,kwh_price,memory_gb_s\nTest 900,1800,EUR,0.5,2026-11-28,a <b>shop</b>,0.36,936\n"
                                       "Test 500,900,EUR,,2026-11-20,,0.36,448\nTest 1,1,EUR,,2026-11-20,,,\n")
    return folder


@pytest.fixture(scope="module")
def page(results, tmp_path_factory):
    """The report of those rows, and what was said beside it."""
    file = tmp_path_factory.mktemp("page") / "report.html"
    code, out, err = run(results, "report", "gpus.jsonl", "telemetry.csv", "--facts", "prices.csv", "--private", "-o", file)
    assert code == 0 and not out, err
    return file, err


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    running = Browser(tmp_path_factory.mktemp("browser"))
    yield running
    running.close()


@pytest.fixture
def read(browser, page):
    """The page for tests that leave it as it was: those in turn share it."""
    if browser.shows != "page":
        browser.size(1200, 900)
        browser.prefer("light")
        browser.open(page[0])
        browser.wait_for("document.querySelectorAll('canvas').length > 5")
        browser.shows = "page"
    yield browser
    assert browser.complaints() == []
    assert all(url.startswith("file:") for url in browser.requests())


@pytest.fixture
def unread(browser):
    browser.shows = None


@pytest.fixture
def opened(unread, read):
    yield read
    read.shows = None


def body(browser, section):
    return browser.evaluate(f"document.querySelector('#{section}').innerText")


def test_what_is_left_out_is_said_beside_the_page(page):
    _, err = page
    assert "telemetry without a record here (runs: 1)" in err and '"Test 1"' in err and "from 10 rows" in err


def test_the_answer_comes_first_with_its_uncertainty(read):
    answer = body(read, "answer")
    assert "NVIDIA Test 900 is the fastest in all 3 workloads" in answer
    card = read.evaluate("document.querySelector('#answer article').innerText")
    ratio = 24.0 / 11.5
    low, high = re.search(r"times as fast as .*\(([\d.]+) to ([\d.]+), within one start\)", card).groups()
    assert f"{ratio:.3g} times as fast as NVIDIA Test 500" in card
    assert float(low) < ratio < float(high) and float(low) > 0.95 * ratio  # two intervals of 2 % make one of 2.8 %
    assert read.evaluate("document.querySelector('#answer').getBoundingClientRect().top") < 300


def test_every_chart_is_drawn(read):
    assert read.evaluate("""[...document.querySelectorAll('canvas')].filter((canvas) => {
      const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      const colours = new Set();
      for (let i = 0; i < pixels.length && colours.size < 4; i += 4) if (pixels[i + 3] === 255) colours.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
      return colours.size < 4;
    }).length""") == 0
    sections = "bars batch stages steps telemetry fit roofline money".split()
    assert [name for name in sections if not read.evaluate(f"document.querySelector('#{name} canvas') !== null")] == []


def test_text_from_files_is_text(read):
    assert read.evaluate("document.querySelectorAll('script').length") == 3
    assert read.evaluate("document.querySelectorAll('img').length") == 0
    assert "<script>alert(1)</script>" in body(read, "answer")
    assert "</script><script>alert(2)</script> is too large" in body(read, "failed")
    assert "</script><img src=x onerror=alert(3)>" in body(read, "runs")
    assert not any(event.get("method") == "Page.javascriptDialogOpening" for event in read.events)


def test_the_policy_refuses_other_scripts_and_requests(opened):
    assert opened.evaluate("""(() => {
      const added = document.createElement('script');
      added.textContent = 'window.breached = 1';
      document.body.append(added);
      return window.breached ?? 'refused';
    })()""") == "refused"
    assert opened.evaluate("fetch('data:,x').then(() => 'loaded', () => 'refused')") == "refused"
    breaches = opened.complaints()
    assert len(breaches) >= 2 and all("Content Security Policy" in text for text in breaches)
    opened.events.clear()


def column(browser, name):
    return browser.evaluate(f"""(() => {{
      const place = [...document.querySelectorAll('#runs th')].findIndex((cell) => cell.dataset.field === '{name}');
      return [...document.querySelectorAll('#runs tbody tr')].map((row) => row.cells[place].innerText);
    }})()""")


def test_the_table_sorts_by_mouse_and_by_keyboard(opened):
    heading = "document.querySelector('#runs th[data-field=images_per_min] button')"
    opened.evaluate(f"{heading}.click()")
    speeds = [float(text) for text in column(opened, "images_per_min") if text]
    assert speeds == sorted(speeds, reverse=True) and len(speeds) == 9
    assert column(opened, "images_per_min")[-1] == ""  # the failed row has none
    opened.evaluate(f"{heading}.focus()")
    opened.key("Enter", 13, "\r")
    assert [float(text) for text in column(opened, "images_per_min") if text] == sorted(speeds)
    assert opened.evaluate(f"{heading}.parentElement.getAttribute('aria-sort')") == "ascending"
    assert opened.evaluate("document.activeElement.parentElement.dataset.field") == "images_per_min"


def type_filter(browser, text):
    browser.evaluate(f"(() => {{ const field = document.getElementById('filter'); field.value = {json.dumps(text)};"
                     "field.dispatchEvent(new Event('input')); })()")


def test_the_filter_narrows_every_section(opened):
    type_filter(opened, '"test 500" batch=1')
    opened.wait_for("document.getElementById('filter-note').textContent.startsWith('2 of 10')")
    assert set(column(opened, "machine")) == {"NVIDIA Test 500"}
    assert "NVIDIA Test 900" not in body(opened, "answer")
    assert opened.evaluate("document.getElementById('filter-note').textContent") == "2 of 10 rows match."  # some sections show all
    type_filter(opened, "status=ok nothing-like-this")
    opened.wait_for("document.getElementById('filter-note').textContent.startsWith('0 of 10')")
    assert "No good row" in body(opened, "answer")


@pytest.fixture(scope="module")
def two_with_tags(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tags")
    open_rows(browser, folder, [timed("a", "NVIDIA Test 900", 20, tags="cooler=air fans=3"),
                                timed("b", "NVIDIA Test 500", 10, tags="cooler=water")], "--private")
    return folder / "made.html"


@pytest.mark.parametrize("filter_text, devices", [
    ("tag:cooler=water", {"NVIDIA Test 500"}), ("tag:cooler!=water", {"NVIDIA Test 900"}), ("tag:cooler=wa*", {"NVIDIA Test 500"}),
    ("device_name=*900", {"NVIDIA Test 900"}), ("tag:cooler=a?r", {"NVIDIA Test 900"}), ("tag:cooler=wa", set()),
    ("tag:fans=3 tag:cooler=air", {"NVIDIA Test 900"}), ("status!=ok", set()), ("device_name!=\"nvidia test 900\"", {"NVIDIA Test 500"})])
def test_the_filter_takes_tags_and_differences_in_the_spelling_of_compare(browser, two_with_tags, filter_text, devices):
    if browser.shows != "two with tags":
        browser.open(two_with_tags)
        browser.shows = "two with tags"
    note = "document.getElementById('filter-note').textContent"
    type_filter(browser, "")
    browser.wait_for(f"{note} === ''")
    type_filter(browser, filter_text)
    browser.wait_for(f"{note}.startsWith('{len(devices)} of 2')")
    assert set(column(browser, "machine")) == devices
    assert browser.complaints() == []


def test_a_setting_has_the_words_of_compare_whatever_dtype_its_vae_has(browser, tmp_path):
    """The dtype of a VAE comes of the model: it is said only where it tells two settings apart."""
    open_rows(browser, tmp_path, [timed("a", "NVIDIA Test 900", 20), timed("b", "NVIDIA Test 900", 18, 2, dtype_vae="bf16"), timed("c", "NVIDIA Test 500", 10, 2, dtype_vae="bf16")])
    assert set(column(browser, "setting")) == {"fp16"}


@pytest.mark.parametrize("width", [1400, 390])
def test_a_name_without_blanks_fits_the_window(browser, tmp_path, width):
    open_rows(browser, tmp_path, [{**timed(f"{name}{batch}", "NVIDIA Test 900", 20, batch), "device_name": name * 300, "env_id": name} for name in "xy" for batch in (1, 2)])
    browser.size(width, 900)
    browser.open(tmp_path / "made.html")
    assert browser.evaluate("document.documentElement.scrollWidth") <= width


def test_a_word_is_not_found_in_the_name_of_a_processors_generation(browser, tmp_path):
    open_rows(browser, tmp_path, [{**timed("a", "NVIDIA Test 900", 20), "device_kind": "cpu", "device_arch": "amx_bf16"},
                                  {**timed("b", "NVIDIA Test 500", 10), "device_arch": "ampere"}])
    type_filter(browser, "bf16")
    browser.wait_for("document.getElementById('filter-note').textContent.startsWith('0 of 2')")
    type_filter(browser, "ampere")
    browser.wait_for("document.getElementById('filter-note').textContent.startsWith('1 of 2')")


def test_speed_can_be_shown_as_another_rate(opened):
    opened.evaluate("(() => { const s = document.getElementById('metric'); s.value = 'unet_it_s'; s.dispatchEvent(new Event('change')); })()")
    assert "24.0 it/s" in body(opened, "answer")


def test_own_rows_are_fitted_against_nominal_rates_as_numpy_does(read):
    import numpy

    nominal = numpy.array([2 * 128 * sms * 1.5e9 / 1e12 for sms, _ in GPUS.values()])
    rates = numpy.array([it_s for _, it_s in GPUS.values()])
    slope = nominal @ rates / (nominal @ nominal)
    squared = 1 - ((rates - slope * nominal) ** 2).sum() / (rates**2).sum()
    fit = body(read, "fit")
    assert f"R² = {squared:.3f}" in fit and f"slope {slope:.3g} it/s" in fit


def money(browser, title):
    """The rows of the chart of this title."""
    titles = browser.evaluate("[...document.querySelectorAll('#money figure strong')].map((title) => title.innerText)")
    return figures(browser, "money", next(place for place, text in enumerate(titles) if text.startswith(title)))


def test_the_cost_of_images_and_images_a_watt_hour_are_what_their_formulas_say(opened):
    """At batch 1 and 24 it/s: 60 / (1.05 × 20 / 24) images/min and 300 / 24 J an image."""
    minute, joules = 60 / (1.05 * 20 / 24), 300 / 24

    def of_batch_1(title):
        return {row[1]: [float(cell.replace("–", "nan")) for cell in (*row[3:5], *row[-3:])] for row in money(opened, title) if "batch 1" in row[0]}

    rented = of_batch_1("Cost of 1,000 images, rented (EUR)")
    cost = 1000 / (minute * 60) * 0.5
    assert list(rented) == ["NVIDIA Test 900"]
    assert rented["NVIDIA Test 900"][:3] == pytest.approx([minute, 0.5, cost], rel=5e-3)
    assert rented["NVIDIA Test 900"][3] < cost < rented["NVIDIA Test 900"][4]
    energy = of_batch_1("Cost of 1,000 images, energy alone (EUR)")
    assert energy["NVIDIA Test 900"][:3] == pytest.approx([joules, 0.36, 1000 * joules / 3.6e6 * 0.36], rel=5e-3)
    assert list(energy) == ["NVIDIA Test 900", "NVIDIA Test 500"]  # the cheapest first
    assert of_batch_1("Images an hour for a unit of its price")["NVIDIA Test 900"][2] == pytest.approx(minute * 60 / 1800, rel=5e-3)
    hours = of_batch_1("Images a watt-hour")
    assert len(hours) == 3 and hours["NVIDIA Test 900"][2] == pytest.approx(3600 / joules, rel=5e-3)  # facts are not asked for
    shown = body(opened, "money")
    assert "1,000 ÷ (images/min × 60) × hourly" in shown and "1,000 × J/image ÷ 3,600,000 × kwh_price" in shown
    assert "a <b>shop</b>" in shown and "2026-11-20" in shown and "no row has: Test 1." in shown


def test_own_rows_are_fitted_against_a_fact_that_the_reader_picks(opened):
    picks = opened.evaluate("[...document.querySelectorAll('#fit select')[0].options].map((option) => option.text)")
    assert picks == ["nominal rate", "price", "kwh_price", "memory_gb_s"]  # one card has an hourly price
    choose(opened, "fit", "memory_gb_s")
    (x, y), (u, v) = (936, 24.0), (448, 11.5)
    slope = (x * y + u * v) / (x * x + u * u)
    squared = 1 - ((y - slope * x) ** 2 + (v - slope * u) ** 2) / (y * y + v * v)
    assert f"R² = {squared:.3f}" in body(opened, "fit") and f"slope {slope:.3g} it/s for each 1 of memory_gb_s, intercept 0" in body(opened, "fit")
    assert [row[:2] for row in figures(opened, "fit")] == [["NVIDIA Test 500", "448"], ["NVIDIA Test 900", "936"]]


def under_limits(speeds, spread, **more):
    """Three restarts under each power limit; `spread`: how far they lie apart."""
    return [timed(f"{limit}-{restart}{more}", "NVIDIA Test 900", it_s * (1 + spread * (restart - 2)), restart=restart, sweep_id=f"s{limit}",
                  power_limit_w=limit, **more) for limit, it_s in speeds.items() for restart in (1, 2, 3)]


def test_the_knee_of_a_curve_over_the_power_limit_is_marked_where_intervals_prove_it(browser, tmp_path):
    speeds = {200: 12, 250: 17, 300: 19, 350: 20}
    open_rows(browser, tmp_path, under_limits(speeds, 0.001))
    speed = money(browser, "Images a minute over the power limit")
    assert [[row[1], row[-1]] for row in speed] == [["200", ""], ["250", "knee"], ["300", ""], ["350", ""]]
    assert float(speed[1][2]) == pytest.approx(60 / (1.05 * 20 / 17), rel=5e-3) and float(speed[1][3]) < float(speed[1][2]) < float(speed[1][4])
    energy = money(browser, "Energy of an image over the power limit")
    assert float(energy[1][2]) == pytest.approx(300 / 17, rel=5e-3) and energy[1][-1] == "knee"
    assert "250 W, 48.6 images/min" in body(browser, "money")
    chart = "Object.values(Chart.instances).find((chart) => chart.canvas.ariaLabel?.startsWith('Images a minute over'))"
    assert browser.evaluate(f"{chart}.data.datasets[0].pointStyle") == ["circle", "rectRot", "circle", "circle"]
    assert browser.complaints() == []


@pytest.mark.parametrize("speeds, spread, why", [
    ({200: 12, 250: 17, 300: 19, 350: 20}, 0.2, "wide intervals"),
    ({200: 12, 300: 18}, 0.001, "two limits"),
    ({200: 12, 250: 15, 300: 18}, 0.001, "a straight line"),
    ({200: 17, 250: 17.001, 300: 17.002}, 0.001, "limits that the work never reaches"),
])
def test_a_curve_over_the_power_limit_that_proves_no_knee_has_none(browser, tmp_path, speeds, spread, why):
    open_rows(browser, tmp_path, under_limits(speeds, spread))
    assert [row[-1] for row in money(browser, "Images a minute over the power limit")] == [""] * len(speeds), why
    assert "has no knee" in body(browser, "money")


def test_curves_over_the_power_limit_are_of_one_card_and_setting_alone(browser, tmp_path):
    made = [*under_limits({200: 12, 300: 18}, 0.001), *under_limits({200: 6, 300: 9}, 0.001, variant_id="fp32", dtype_unet="fp32"),
            {**timed("other", "NVIDIA Test 900", 20), "env_id": "elsewhere", "host": "otherhost", "power_limit_w": 350}]
    open_rows(browser, tmp_path, made)
    names = [row[0] for row in money(browser, "Images a minute over the power limit")]
    assert sorted(names) == ["NVIDIA Test 900, fp16"] * 2 + ["NVIDIA Test 900, fp32"] * 2


def test_a_curve_has_one_mark_and_colour_in_both_charts_over_the_power_limit(browser, tmp_path):
    """The first tells no energy, so the second is the first of the lower chart. Neither has a knee."""
    first, second = under_limits({200: 12, 300: 18}, 0.001), under_limits({200: 6, 300: 9}, 0.001, variant_id="fp32", dtype_unet="fp32")
    open_rows(browser, tmp_path, [*({**row, "j_per_image": None} for row in first), *second])
    upper, lower = browser.evaluate("""[...document.querySelectorAll('#money canvas')].map((canvas) => Chart.getChart(canvas))
      .filter((chart) => chart.config.type === 'line')
      .map(({data}) => data.datasets.map(({label, borderColor, pointStyle, borderDash}) => [label, borderColor, pointStyle, borderDash]))""")
    assert [name for name, *_ in upper] == ["NVIDIA Test 900, fp16", "NVIDIA Test 900, fp32"] and lower == upper[1:]
    captions = browser.evaluate("[...document.querySelectorAll('#money figcaption')].map((caption) => caption.innerText)")
    captions = [words for words in captions if "power limit" in words]
    assert len(captions) == 2 and all("Whiskers are 95 % intervals." in words and "diamond" not in words for words in captions)


def test_a_tag_that_goes_with_the_limit_does_not_part_the_curve(browser, tmp_path):
    made = [{**row, "tags": f"limit={row['power_limit_w']} cooler=air"} for row in under_limits({200: 12, 250: 17, 300: 19}, 0.001)]
    open_rows(browser, tmp_path, made)
    assert [row[1] for row in money(browser, "Images a minute over the power limit")] == ["200", "250", "300"]


def test_a_tag_that_differs_under_one_limit_is_a_curve_of_its_own(browser, tmp_path):
    """A published page has made-up words for all tags of a row together, a private one tells them apart."""
    def curves(tags, *more):
        made = [{**row, "tags": f"clocks={clocks}{tags.format(row['power_limit_w'])}"} for clocks, speeds in (("low", {200: 8, 300: 10}), ("high", {200: 12, 300: 18}))
                for row in under_limits(speeds, 0.001, note=clocks)]
        open_rows(browser, tmp_path, made, *more)
        drawn = money(browser, "Images a minute over the power limit")
        return [row[1] for row in drawn], len({row[0] for row in drawn})
    assert curves("") == (["200", "300"] * 2, 2)
    assert curves(" limit={}", "--private") == (["200", "300"] * 2, 2)


def network(run_id, name, step_s, **more):
    """A row of a published table's work: a batch of VGG16 in training takes `step_s`."""
    batch = more.get("batch", 16)
    usual = dict(device_name=name, env_id=f"env of {name}", sm_count=GPUS[name][0], sm_clock_hz_max=1.5e9, model="vgg16",
                 task="train", weight_update="off", loss="logit-sum", width=224, height=224, steps=1, batch=batch, images=320, dtype_unet="fp32",
                 guidance=0, scheduler="", timestep_spacing="", step_s_mean=step_s, e2e_s=20.1 * step_s, images_per_s=batch / step_s,
                 images_per_min=60 * batch / step_s)
    return record(run_id, **{**usual, **more})


def test_a_network_s_rows_and_published_ones_of_the_same_work_stand_in_one_plot(browser, tmp_path):
    import numpy

    nominal = numpy.array([2 * 128 * GPUS[name][0] * 1.5e9 / 1e12 for name in ("NVIDIA Test 900", "NVIDIA Test 500")])
    rates = numpy.array([1 / 0.11, 1 / 0.2])
    open_rows(browser, tmp_path, [network("a", "NVIDIA Test 900", 0.11), network("b", "NVIDIA Test 500", 0.2)])
    choose(browser, "fit", "vgg16 train 224x224, batch 16")
    squared = 1 - ((rates - nominal @ rates / (nominal @ nominal) * nominal) ** 2).sum() / (rates**2).sum()
    assert f"R² = {squared:.3f}" in body(browser, "fit")  # of own rows alone
    shown = {name: float(rate) for name, _, rate in figures(browser, "fit")}
    assert shown["NVIDIA Test 900"] == pytest.approx(1 / 0.11, rel=5e-3)
    assert shown["V100 fp32 (published)"] == pytest.approx(1 / 0.0835, rel=5e-3) and len(shown) == 2 + 7
    choose(browser, "fit", "published (egpu-2022, batch 16): vgg16, training, fp32")
    assert "R² = 0.984" in body(browser, "fit")
    shown = {name: float(rate) for name, _, rate in figures(browser, "fit")}
    assert shown["NVIDIA Test 500 fp32 (measured here)"] == pytest.approx(5, rel=5e-3) and len(shown) == 2 + 6
    assert browser.evaluate("Chart.getChart(document.querySelector('#fit canvas')).data.datasets.filter((set) => set.pointStyle === 'rectRot').length") == 2
    assert browser.complaints() == []


def test_the_roof_that_probes_measured_slopes_at_the_copies_rate_and_is_level_at_the_products(browser, tmp_path):
    def drawn(**probe):
        """The intensity of the one point, and the measured roofs."""
        open_rows(browser, tmp_path, [network("a", "NVIDIA Test 900", 0.1, achieved_tflops=8, **probe)])
        sets = browser.evaluate("Chart.getChart(document.querySelector('#roofline canvas')).data.datasets.map(({label, data}) => ({label, data}))")
        return sets[0]["data"][0]["x"], [one for one in sets if one["label"].startswith("measured")]

    intensity, roofs = drawn()
    assert roofs == []
    copy = 1000 * 20 / intensity  # the ridge is at the point
    _, [roof] = drawn(probe_format="fp32", probe_product_tflops=20, probe_copy_gb_s=copy, of_measured_peak_percent=40)
    assert roof["label"] == "measured roof of NVIDIA Test 900, fp32"
    assert [(corner["x"] / intensity, corner["y"]) for corner in roof["data"]] == [pytest.approx(corner) for corner in ((0.5, 10), (1, 20), (2, 20))]
    assert [float(cell) for cell in figures(browser, "roofline")[0][-2:]] == pytest.approx([20, copy], rel=5e-3)
    assert drawn(probe_format="fp32", probe_product_tflops=20, probe_copy_gb_s=copy)[1] == []  # of several formats


def test_networks_have_figures_and_words_of_their_own(browser, tmp_path):
    raw = [{"input_s": 0.1, "forward_s": 0.5, "backward_s": 1.2, "update_s": 0.2, "e2e_s": 2.2, "start_s": 0, "step_s": [0.11, 0.1, 0.12] * 5} for _ in range(2)]
    epochs = {"epochs": 3, "epoch_s_first": 4, "epoch_s_median": 2.2, "accuracy": 0.931, "data": "synthetic:320", "loss": "", "weight_update": "on",
              "workload_id": "w-epochs", "achieved_tflops": 1.5}
    made = [network("a", "NVIDIA Test 900", 0.11, samples=raw, **{**epochs, "data_place": "host", "variant_id": "host"}),
            network("b", "NVIDIA Test 900", 0.1, **{**epochs, "data_place": "device", "variant_id": "device"}),
            network("c", "NVIDIA Test 900", 0.04, task="infer", weight_update="", loss="", workload_id="w-infer")]
    open_rows(browser, tmp_path, made)
    assert browser.evaluate("document.getElementById('metric').value") == "images_per_s"
    answer = body(browser, "answer")
    assert "160 images/s" in answer and "iteration 100 ms" in answer and "first epoch 4.00 s" in answer and "accuracy 0.931" in answer
    assert "by the time of whole iterations" in answer and "prompt" not in answer
    assert "vgg16 train 224x224, batch 16, 20 iterations, weight update on, epochs 3" in answer and "vgg16 infer 224x224, batch 16, 20 iterations" in answer
    assert "data place device" in answer  # a way of one workload
    assert browser.evaluate("[...document.querySelectorAll('#runs th')].map((cell) => cell.innerText.trim())")[3:9] == [
        "images/s", "step, s", "TFLOP/s", "first epoch, s", "epoch, s", "accuracy"]
    stages = [float(cell) for cell in figures(browser, "stages")[0][2:]]
    assert stages == pytest.approx([seconds / 320 for seconds in (0.1, 0.5, 1.2, 0.2, 0.211)], rel=5e-3)  # of an image; the last is between them
    assert "Every timed iteration" in body(browser, "steps") and "step" not in body(browser, "steps").replace("Time of a step", "")
    assert len(figures(browser, "roofline")) == 2 and "left out: autocast" not in body(browser, "roofline")
    assert browser.complaints() == []


def test_a_batch_curve_is_of_one_task_alone(browser, tmp_path):
    made = [network(f"{task}{batch}", "NVIDIA Test 900", 0.01 * batch, task=task, batch=batch, images=10 * batch, weight_update=update, loss="",
                    workload_id=f"{task}{batch}") for task, update in (("infer", ""), ("train", "on")) for batch in (16, 32)]
    open_rows(browser, tmp_path, made)
    works = browser.evaluate("[...document.querySelectorAll('#batch option')].map((option) => option.innerText)")
    assert sorted(work[:11] for work in works) == ["vgg16 infer", "vgg16 train"]


def test_figures_of_one_are_said_in_the_singular(browser, tmp_path):
    (tmp_path / "one.jsonl").write_text(json.dumps(timed("a", "NVIDIA Test 900", 20)) + "\n")
    code, _, err = run(tmp_path, "report", "one.jsonl", "-o", "one.html")
    assert code == 0 and err.endswith("from 1 row\n"), err
    browser.open(tmp_path / "one.html")
    assert browser.evaluate("document.getElementById('summary').textContent").startswith("1 row, 1 machine. ")
    assert "from 1 row." in body(browser, "about") and "1 of 1 row" in body(browser, "runs")


def test_one_card_s_network_stands_beside_the_published_line(browser, tmp_path):
    open_rows(browser, tmp_path, [network("a", "NVIDIA Test 900", 0.11)])
    assert "Own rows give no line" in body(browser, "fit")
    choose(browser, "fit", "published (egpu-2022, batch 16): vgg16, training")
    assert any(name == "NVIDIA Test 900 fp32 (measured here)" for name, *_ in figures(browser, "fit"))


def open_rows(browser, folder, made, *arguments, name="made"):
    """Opens the page of these records."""
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in made))
    code, _, err = run(folder, "report", f"{name}.jsonl", "-o", f"{name}.html", "--overwrite", *arguments)
    assert code == 0 and "left out" not in err, err
    browser.size(1200, 900)
    browser.prefer("light")
    browser.open(folder / f"{name}.html")


def choose(browser, section, label):
    """What a section's list has under this name, or the first whose name begins so."""
    browser.evaluate(f"""(() => {{
      const list = document.querySelector('#{section} select');
      list.value = [...list.options].find((option) => option.text.startsWith({json.dumps(label)})).value;
      list.dispatchEvent(new Event('change'));
    }})()""")


def figures(browser, section, of=0):
    """The rows of a chart's table, opened."""
    browser.evaluate(f"document.querySelectorAll('#{section} details summary')[{of}].click()")
    browser.wait_for(f"document.querySelectorAll('#{section} details')[{of}].querySelector('td') !== null")
    return browser.evaluate(f"[...document.querySelectorAll('#{section} details')[{of}].querySelectorAll('tbody tr')]"
                            ".map((row) => [...row.cells].map((cell) => cell.innerText))")


def show_every_setting(browser):
    browser.evaluate("(() => { const s = document.querySelector('#bars select'); s.value = '1'; s.dispatchEvent(new Event('change')); })()")


def test_rows_of_a_quality_study_stand_beside_the_speed_of_their_setting(browser, tmp_path):
    speeds = [timed("fp16", "NVIDIA Test 900", 24.0), timed("fp32", "NVIDIA Test 900", 11.0, dtype_unet="fp32", variant_id="fp32")]
    study = {"workload_id": "four prompts", "images": 4, "quality_reference": "fp32", "repeat": 0, "env_id": "env of NVIDIA Test 900"}
    ours = record("study", device_name="NVIDIA Test 900", ssim_mean=0.987, ssim_min=0.98, psnr_db_mean=31.2, psnr_db_min=30.1, **study)
    elsewhere = record("elsewhere", device_name="NVIDIA Test 500", ssim_mean=0.5, ssim_min=0.5, **{**study, "env_id": "other"})
    open_rows(browser, tmp_path, [*speeds, ours, elsewhere])
    assert "SSIM against speed" in body(browser, "quality") and "compares numerics, not pictures" in body(browser, "quality")
    assert [row[1:] for row in figures(browser, "quality")] == [["68.6", "0.987"]]  # of the fp16 row on its machine, and no other
    assert browser.complaints() == []


def test_the_page_says_what_compare_says(browser, tmp_path):
    chance = random.Random(5)
    made = []
    for name in GPUS:
        for variant in ("fp16", "bf16"):
            for batch in (1, 2, 4):
                speed = chance.choice([10, 10.02, 11])
                for repeat in range(chance.choice([1, 2, 3, 5])):
                    row = timed(f"{name}{variant}{batch}{repeat}", name, speed * chance.gauss(1, 0.01), batch, variant_id=variant, label=f"night {repeat}",
                                flags="partial" if repeat and chance.random() < 0.2 else "")
                    made.append({**row, "dtype_unet": variant, "dtype_vae": variant, "e2e_s_sd": row["e2e_s"] * chance.choice([0.0001, 0.01]), "repeat": chance.choice([1, 3, 80])})
    open_rows(browser, tmp_path, made)
    code, out, err = run(tmp_path, "compare", "made.jsonl", "--metric", "images_per_min", "--format", "json")
    assert code == 0, err
    places = json.loads(out)["places"]

    show_every_setting(browser)
    charts = browser.evaluate("document.querySelectorAll('#bars figure').length")
    shown = {(re.search(r"batch (\d)", row[0])[1], row[1], row[2]): [float(cell.replace("–", "nan")) for cell in row[3:7]]
             for chart in range(charts) for row in figures(browser, "bars", chart)}
    assert len(shown) == len(places) == 18
    for place in places:
        wanted = [float("nan") if place[name] is None else place[name] for name in ("value", "ci95_low", "ci95_high", "rows")]
        ours = shown[place["workload_id"][1:], place["env_id"].removeprefix("env of "), place["variant_id"]]
        assert ours == pytest.approx(wanted, rel=5e-3, nan_ok=True)  # three digits are shown

    cards = browser.evaluate("[...document.querySelectorAll('#answer article')].map((card) => card.innerText)")
    for batch, card in zip((1, 2, 4), cards, strict=True):
        column = [place for place in places if place["workload_id"] == f"w{batch}"]  # the best first
        following = next(place for place in column if place["env_id"] != column[0]["env_id"])
        first = {"slower": column[0]["env_id"].removeprefix("env of "), "same": "the same within 1 %: ", "unclear": "unclear: "}
        assert card.splitlines()[2].startswith(first[following["verdict"]]), card
        if following["relative_ci95_low"]:
            ratio, low, high = map(float, re.search(r"([\d.]+) times as fast as .*?\(([\d.]+) to ([\d.]+)", card).groups())
            assert [1 / ratio, 1 / high, 1 / low] == pytest.approx(
                [following["relative"], following["relative_ci95_low"], following["relative_ci95_high"]], rel=5e-3)


def test_the_page_says_when_preparing_has_paid_as_compare_does(browser, tmp_path):
    prepared = {"pytorch": {}, "pytorch-compile": {"prepare_s": 44, "prepared": "new"}}
    made = [timed(f"{engine} {restart}", "NVIDIA Test 900", speed + 0.01 * restart, engine=engine, variant_id=engine, load_s=1,
                  restart=restart, **prepared[engine])
            for restart in (1, 2) for engine, speed in (("pytorch", 10), ("pytorch-compile", 20))]
    open_rows(browser, tmp_path, made)
    place = json.loads(run(tmp_path, "compare", "made.jsonl", "--metric", "images_per_min", "--format", "json")[1])["places"][1]
    words = f"{place['break_even_images']:.0f} ({place['break_even_ci95_low']:.0f} to {place['break_even_ci95_high']:.0f})"
    cells = browser.evaluate("[...document.querySelectorAll('#paid tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText))")
    assert len(cells) == 1 and "compile" in cells[0][1] and "compile" not in cells[0][2] and cells[0][3] == words
    assert browser.complaints() == []
    open_rows(browser, tmp_path, [timed("alone", "NVIDIA Test 900", 24.0)], name="none")
    assert browser.evaluate("document.getElementById('paid').hidden")
    assert "No two engines here" in browser.evaluate("document.querySelector('#about .absent').textContent")


def test_a_verdict_on_rows_of_a_busy_machine_says_so(browser, tmp_path):
    made = [timed("a", "NVIDIA Test 900", 24), timed("b", "NVIDIA Test 500", 12, flags="noisy busy", busy_programs="cc1plus 184 %")]
    open_rows(browser, tmp_path, made)
    assert ", beside other programs on NVIDIA Test 500" in body(browser, "answer")
    open_rows(browser, tmp_path, [{**row, "flags": ""} for row in made])
    assert "beside other programs" not in body(browser, "answer")


def test_two_cards_of_one_host_and_two_weights_are_told_apart(browser, tmp_path):
    open_rows(browser, tmp_path, [timed("a", "NVIDIA Test 900", 24, device_uuid="GPU-1", device_index=0),
                                  timed("b", "NVIDIA Test 900", 20, device_uuid="GPU-2", device_index=1),
                                  {**timed("c", "NVIDIA Test 900", 22, device_uuid="GPU-1", device_index=0), "weights": "checkpoint"}])
    show_every_setting(browser)
    names = [row[1] + ", " + row[2] for row in figures(browser, "bars")]
    assert len(names) == 3 and len(set(names)) == 3, names
    assert browser.evaluate("new Set(Chart.getChart(document.querySelector('#bars canvas')).data.datasets[0].backgroundColor).size") == 3
    assert "NVIDIA Test 900, GPU 0" in names[0]


def test_the_page_of_a_comparison_fits_830_pixels(browser, tmp_path):
    rows = [{**timed(f"{engine}{card}{model}", "NVIDIA Test 900", 20 + card), "device_name": f"NVIDIA GeForce Test {4000 + card} Ti SUPER", "env_id": f"e{card}", "engine": engine,
             "host": f"host{card}", "variant_id": f"v {engine}", "model": model, "workload_id": f"w {model}", "driver_version": f"5{card}.1"}
            for card in range(8) for engine in ("tuned", "plain") for model in ("sd15", "sdxl", "sd21")]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, _, err = run(tmp_path, "compare", "rows.jsonl", "-o", "cards.html")
    assert code == 0, err
    browser.size(830, 900)
    browser.open(tmp_path / "cards.html")
    wide = browser.evaluate("JSON.stringify([...document.querySelectorAll('.wide')].map(t => [t.scrollWidth, t.clientWidth]))")
    assert all(inside <= outside for inside, outside in json.loads(wide)), wide
    assert browser.evaluate("document.querySelectorAll('tbody tr').length") >= 8


def test_one_card_under_three_power_limits_is_three_machines(browser, tmp_path):
    open_rows(browser, tmp_path, [timed(f"r{i}", "NVIDIA Test 900", 20 + i % 3, power_limit_w=200 + 50 * (i % 3), ecc="on") for i in range(6)])
    machines = [row[1] for row in figures(browser, "bars")]
    assert sorted(machines) == [f"NVIDIA Test 900, power limit {limit} W" for limit in (200, 250, 300)]


def test_machines_of_one_name_get_as_many_marks_as_tell_them_apart(browser, tmp_path):
    places = [("a", "550", "Debian 12"), ("a", "550", "Debian 13"), ("a", "560", "Debian 13"), ("b", "560", "Debian 13")]
    open_rows(browser, tmp_path, [{**timed(f"r{i}", "NVIDIA Test 900", 20 + i), "env_id": f"e{i}", "host": host, "driver_version": driver, "os": system}
                                  for i, (host, driver, system) in enumerate(places)])
    machines = [row[1] for row in figures(browser, "bars")]
    assert len(machines) == 4 and len(set(machines)) == 4, machines


def test_ways_are_named_by_the_axes_that_differ_and_auto_by_nothing(browser, tmp_path):
    axes = [{}, {"packed_weights": "off"}, {"memory_format": "contiguous"}, {"kv_cache": "off", "kernels": "aten"},
            {"openmp_config": "OMP_PLACES=cores"}, {"instruction_config": "ATEN_CPU_CAPABILITY=avx2"},
            {"cuda_config": "CUDA_LAUNCH_BLOCKING=1"}]
    made = [{**timed(f"r{i}", "NVIDIA Test 900", 20 + i), "variant_id": f"v{i}", "memory_format": "auto", "packed_weights": "auto", "kv_cache": "auto", "kernels": "auto", **way}
            for i, way in enumerate(axes)]
    open_rows(browser, tmp_path, made)
    show_every_setting(browser)
    assert [row[2] for row in figures(browser, "bars")] == [
        "fp16, cuda config CUDA_LAUNCH_BLOCKING=1", "fp16, instruction config ATEN_CPU_CAPABILITY=avx2",
        "fp16, openmp config OMP_PLACES=cores", "fp16, kv cache off, kernels aten", "fp16, contiguous", "fp16, packed weights off", "fp16"]


def value_of(field, place):
    """The place-th value of a field; both are unlike any that record() gives."""
    words = {"engine": ("pytorch", "onnxruntime"), "device_kind": ("intel", "cuda"), "weights": ("synthetic:1", "checkpoint"), "tags": ("cooler=air", "cooler=water"),
             "power_supply": ("battery", "mains"), "ecc": ("on", "off"), "mig": ("on", "off")}
    if field in words:
        return words[field][place]
    schema = json.loads((pathlib.Path(__file__).parents[2] / "configs" / "record.schema.json").read_text())
    is_text = schema["properties"][field]["type"] == "string"
    return f"{place} value" if is_text else (place + 3) * 2**31 if field.endswith("_bytes") else place + 3


def test_rows_that_compare_keeps_apart_have_names_of_their_own_in_every_chart(browser, tmp_path):
    """Of each field that compare pools by a work of its own, whose rows differ in it alone: a file may say anything beside an id."""
    open_rows(browser, tmp_path, [timed("a", "NVIDIA Test 900", 20)], name="one")
    data = json.loads(browser.evaluate("document.getElementById('data').textContent"))
    telling = data["telling"]
    fields = dict.fromkeys([*telling, *data["card_states"], "engine", "engine_revision", "weights", "tags", "variant_id", "env_id", "device_uuid"])
    assert {"runtime_version", "cudnn_version", "driver_version", "kernel", "openmp_config", "attention_used"} <= set(telling)
    batches = (1, 2)
    for first in range(0, len(fields), 12):
        some = list(fields)[first:first + 12]
        made = [{**timed(f"{field} {place} {batch}", "NVIDIA Test 900", 20 + place, batch), "env_id": "e", "model": f"of {field}", "workload_id": f"{field} {batch}",
                 field: value_of(field, place)} for field in some for place in (0, 1) for batch in batches]
        open_rows(browser, tmp_path, made, "--private")
        for field in some:
            code, out, err = run(tmp_path, "compare", "made.jsonl", "--filter", f"model=of {field}", "--format", "json", "--metric", "images_per_min")
            places = json.loads(out)["places"]
            assert len(places) == 4 and len({place["machine"] for place in places}) == 2, (field, places, err)
        show_every_setting(browser)
        charts = browser.evaluate("[...document.querySelectorAll('#bars canvas')].map((canvas) => Chart.getChart(canvas).data.labels.map(String))")
        assert sum(map(len, charts)) == len(made)
        assert [chart for chart in charts if len(set(chart)) < len(chart)] == []
        for work in browser.evaluate("[...document.querySelectorAll('#batch option')].map((option) => option.innerText)"):
            choose(browser, "batch", work)
            lines = browser.evaluate("Chart.getChart(document.querySelector('#batch canvas')).data.datasets.map((set) => set.label)")
            assert len(set(lines)) == 2, (work, lines)
            assert not any(re.search(r"(variant|env) \w{1,6}$|no\. 2", line) for line in lines) or work.startswith(("of variant_id", "of env_id")), lines


def test_more_machines_than_colours_bear_their_names(browser, tmp_path):
    open_rows(browser, tmp_path, [{**timed(f"r{i}", "NVIDIA Test 900", 20 + i), "device_name": f"Card {i}", "env_id": f"e{i}"} for i in range(12)])
    chart = "Chart.getChart(document.querySelector('#bars canvas'))"
    assert browser.evaluate(f"{chart}.data.labels.map((label) => label[0])") == [f"Card {i}" for i in range(11, -1, -1)]
    assert browser.evaluate(f"{chart}.options.plugins.legend.display") is False


def test_no_two_names_of_a_chart_share_a_colour_while_there_are_enough(browser, tmp_path):
    made = [{**timed(f"{card}{way}{batch}", "NVIDIA Test 900", 20 + card, batch), "device_name": f"Card {card}", "env_id": f"e{card}", "variant_id": way, "dtype_unet": way}
            for card, way in ((0, "fp16"), (1, "fp16"), (2, "fp16"), (2, "fp32"), (3, "bf16"), (3, "fp32")) for batch in (1, 2)]
    open_rows(browser, tmp_path, made)
    assert browser.evaluate("""Object.values(Chart.instances).every((chart) => {
      const colours = chart.data.datasets.filter((dataset) => !dataset.borderDash?.length)  // a roof has its device's
          .map((dataset) => (chart.config.type === "bar" ? dataset.backgroundColor : dataset.borderColor));
      return colours.length > 8 || new Set(colours).size === colours.length;
    })""")


def test_a_batch_curve_is_of_one_picture_alone(browser, tmp_path):
    made = [{**timed(f"{guidance}{batch}", "NVIDIA Test 900", 20 / guidance, batch), "guidance": guidance, "workload_id": f"{guidance}-{batch}"}
            for guidance in (1, 7.5) for batch in (1, 2)]
    open_rows(browser, tmp_path, made)
    works = browser.evaluate("[...document.querySelectorAll('#batch option')].map((option) => option.innerText)")
    assert [re.search(r"guidance [\d.]+", work)[0] for work in works] == ["guidance 1", "guidance 7.5"]


def test_a_chart_says_in_words_and_figures_what_it_shows(opened):
    assert opened.evaluate("[...document.querySelectorAll('canvas')].every((c) => c.getAttribute('role') === 'img' && c.getAttribute('aria-label').length > 20)")
    opened.evaluate("document.querySelector('#bars details summary').click()")
    opened.wait_for("document.querySelectorAll('#bars details td').length > 9")
    assert "NVIDIA Test 900" in body(opened, "bars")


def test_the_page_has_labels_headings_and_table_semantics(read):
    assert read.evaluate("document.documentElement.lang") == "en"
    assert read.evaluate("document.querySelectorAll('h1').length") == 1
    assert read.evaluate("[...document.querySelectorAll('input, select')].every((field) => field.labels.length > 0)")
    assert read.evaluate("[...document.querySelectorAll('button')].every((button) => button.innerText.trim() !== '')")
    assert read.evaluate("[...document.querySelectorAll('th')].every((cell) => cell.scope === 'col')")
    assert read.evaluate("[...document.querySelectorAll('table')].every((table) => table.caption)")
    assert read.evaluate("[...document.querySelectorAll('[id]')].length === new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size")


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough_in_both_themes(opened, scheme):
    opened.prefer(scheme)

    def colour(name):
        return opened.evaluate(f"getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()")

    for ground in ("page", "card"):
        for ink in ("ink", "soft", "accent", "bad", "good"):
            assert contrast(colour(ink), colour(ground)) >= 4.5, (ink, ground)
        for place in range(1, 9):
            assert contrast(colour(f"c{place}"), colour(ground)) >= 3, (place, ground)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_stages_differ_in_lightness_so_that_black_ink_shows_them(opened, scheme):
    opened.prefer(scheme)
    opened.wait_for(f"document.getElementById('theme').textContent === '{'Light' if scheme == 'dark' else 'Dark'}'")
    ground, *stages = opened.evaluate("""[getComputedStyle(document.documentElement).getPropertyValue('--page').trim(),
      ...Chart.getChart(document.querySelector('#stages canvas')).data.datasets.map((set) => set.backgroundColor)]""")
    lightness = sorted(116 * luminance(colour) ** (1 / 3) - 16 for colour in stages)  # L*, from 0 to 100
    assert len(stages) == 4 and all(lighter - darker > 11 for darker, lighter in zip(lightness, lightness[1:])), lightness
    assert all(contrast(colour, ground) >= 4.5 for colour in stages)  # their labels have the ground's colour


def test_the_button_changes_the_theme_and_the_charts_follow(opened):
    ground = "getComputedStyle(document.body).backgroundColor"
    light = opened.evaluate(ground)
    before = opened.evaluate("document.querySelector('#bars canvas').toDataURL().length")
    opened.evaluate("document.getElementById('theme').click()")
    assert opened.evaluate(ground) != light
    assert opened.evaluate("document.getElementById('theme').textContent") == "Light"
    assert opened.evaluate("document.querySelector('#bars canvas').toDataURL().length") != before


@pytest.mark.parametrize("name, width, height, scheme", [("light", 1200, 900, "light"), ("dark", 1200, 900, "dark"), ("phone", 390, 844, "light")])
def test_the_page_fits_its_window(browser, page, tmp_path, name, width, height, scheme):
    browser.size(width, height, mobile=name == "phone")
    browser.prefer(scheme)
    browser.open(page[0])
    browser.wait_for("document.querySelectorAll('canvas').length > 5")
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    browser.screenshot(tmp_path / f"{name}.png")
    assert (tmp_path / f"{name}.png").stat().st_size > 50_000
    assert browser.complaints() == []


def test_ten_thousand_rows_stay_usable(browser, tmp_path):
    names = list(GPUS)
    lines = []
    for i in range(10_000):
        row = timed(f"r{i}", names[i % 3], 5 + i % 11, batch=1 + i % 16, label=f"night {i % 40}")
        lines.append(json.dumps(row) + "\n")
    (tmp_path / "many.jsonl").write_text("".join(lines))
    code, _, err = run(tmp_path, "report", "many.jsonl", "-o", "many.html")
    assert code == 0, err
    assert (tmp_path / "many.html").stat().st_size < 30e6
    browser.size(1200, 900)
    assert browser.open(tmp_path / "many.html") < 20
    assert len(column(browser, "machine")) == 48 and sum(map(int, column(browser, "rows"))) == 10_000
    choose(browser, "runs", "for each row")
    assert len(column(browser, "machine")) == 100
    assert "evenly chosen" in body(browser, "steps")
    seconds = browser.evaluate("(() => { const start = performance.now(); document.querySelector('#runs th[data-field=s_per_image] button').click();"
                               "return (performance.now() - start) / 1000; })()")
    assert seconds < 2
    assert browser.complaints() == []


def test_bytes_that_are_no_text_do_not_break_the_page(browser, tmp_path):
    line = json.dumps(timed("odd", "NVIDIA Test 900", 5, label="LABEL")).replace("LABEL", "\\\\xff\\u2028 \\u0007")
    (tmp_path / "odd.jsonl").write_text(line + "\n")
    assert run(tmp_path, "report", "odd.jsonl", "-o", "odd.html", "--private")[0] == 0
    (tmp_path / "odd.html").read_text(encoding="utf-8")
    browser.open(tmp_path / "odd.html")
    assert "The only machine and setting here." in body(browser, "answer")
    assert browser.complaints() == []


def test_a_bad_file_among_good_ones_is_named_and_left_out(results, tmp_path):
    (tmp_path / "bad.jsonl").write_text("{nothing\n")
    code, _, err = run(tmp_path, "report", "bad.jsonl", results / "gpus.jsonl", "-o", "r.html")
    assert code == 0 and "left out" in err and "bad.jsonl" in err


def test_files_of_other_kinds_in_a_folder_are_passed_over(results, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("gpus.jsonl", "prices.csv", "telemetry.csv"):
        (folder / name).write_bytes((results / name).read_bytes())
    (folder / "study.csv").write_text('"quality_schema_version","study_id","run_id"\n2,"s","r"\n')
    code, _, err = run(tmp_path, "report", "folder", "-o", "r.html")
    assert code == 0 and "left out" not in err.replace("left out: telemetry without", ""), err


@pytest.mark.parametrize("arguments, code, hint", [
    ([], 2, "must be followed by result files"),
    (["none.csv", "-o", "r.html"], 2, '"none.csv" is not there'),
    (["good.jsonl"], 2, "add -o report.html"),
    (["good.jsonl", "-o", "r.pdf"], 2, "must end in .html"),
    (["good.jsonl", "-o", "r.html", "-o", "s.html"], 2, "must be given once"),
    (["good.jsonl", "-o", "nowhere/r.html"], 1, "nowhere/r.html"),
    (["good.jsonl", "-o", "r.html", "--prizes", "p"], 2, "did you mean --prices?"),
    (["good.jsonl", "-o", "r.html", "--prices", "text.csv"], 2, 'text.csv, line 2, column price: must be a number above 0, or empty, but is "much"'),
    (["good.jsonl", "-o", "r.html", "--facts", "none.csv"], 2, "none.csv"),
    (["good.jsonl", "-o", "r.html", "--facts", "undated.csv"], 2, "undated.csv, line 2, column date: must be the date of the price"),
    (["good.jsonl", "-o", "r.html", "--facts", "twice.csv"], 2, 'twice.csv, line 3, column gpu: each GPU must be in one line, but "NVIDIA Test 900" is in line 2, too'),
    (["good.jsonl", "-o", "r.html", "--facts", "money.csv"], 2, 'money.csv, line 3, column currency: must be "EUR" as in line 2, because nothing is converted, but is "USD"'),
    (["good.jsonl", "-o", "r.html", "--facts", "future.csv"], 2, "future.csv, line 2, column date: must not be after today ("),
    (["good.jsonl", "-o", "r.html", "--facts", "plain.csv"], 2, "plain.csv, line 2, column currency: must name the currency of the price, such as EUR, but there is none"),
    (["good.jsonl", "-o", "r.html", "--facts", "negative.csv"], 2, 'negative.csv, line 2, column price: must be a number above 0, or empty, but is "-5"'),
    (["good.jsonl", "-o", "r.html", "--facts", "large.csv"], 2, "large.csv: it must be at most 1048576 bytes, but is larger"),
    (["good.jsonl", "-o", "r.html", "--facts", "empty.jsonl"], 2, "empty.jsonl must hold a header (gpu, price, currency, date, source, hourly, kwh_price"),
    (["good.jsonl", "-o", "r.html", "--facts", "money.csv", "--prices", "money.csv"], 2, "--facts must be given once, but is given 2 times"),
    (["empty.jsonl", "-o", "r.html"], 1, "must hold at least one record"),
    (["bad.jsonl", "-o", "r.html"], 1, "bad.jsonl"),
    (["folder", "-o", "r.html"], 1, "must hold at least one record"),
])
def test_a_mistake_is_one_line_and_leaves_no_page(tmp_path, arguments, code, hint):
    (tmp_path / "good.jsonl").write_text(json.dumps(timed("a", "NVIDIA Test 900", 5)) + "\n")
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "bad.jsonl").write_text("{nothing\n")
    (tmp_path / "text.csv").write_text("gpu,price\nTest 900,much\n")
    for name, values in (("future", "1800,EUR,2999-01-01"), ("plain", "1800,,2026-11-28"), ("negative", "-5,EUR,2026-11-28")):
        (tmp_path / f"{name}.csv").write_text(f"gpu,price,currency,date\nTest 900,{values}\n")
    (tmp_path / "undated.csv").write_text("gpu,price\nTest 900,1800\n")
    (tmp_path / "twice.csv").write_text("gpu,price,currency,date\nTest 900,1800,EUR,2026-11-28\nNVIDIA Test 900,1700,EUR,2026-11-28\n")
    (tmp_path / "money.csv").write_text("gpu,price,currency,date\nTest 900,1800,EUR,2026-11-28\nTest 500,900,USD,2026-11-28\n")
    (tmp_path / "large.csv").write_text("gpu,price,date\n" + "Test 900,1800,2026-11-28\n" * 84_000)
    (tmp_path / "folder").mkdir()
    result = run(tmp_path, "report", *arguments)
    assert result[0] == code and not result[1]
    assert hint in result[2] and result[2].count("\n") == 1
    assert not list(tmp_path.glob("*.html"))


def test_help_says_what_the_files_are():
    code, out, _ = run(pathlib.Path("/"), "report", "--help")
    assert code == 0 and "--facts,--prices FILE.csv" in out and "sdbench report sdbench-results -o report.html" in out


def test_charts_are_whole_on_paper(opened):
    """They are drawn anew for it, so what is written in them stands there as text: none of it beyond the paper."""
    written = opened.evaluate("Object.values(Chart.instances).flatMap((chart) => Object.values(chart.scales).map((scale) => scale.options.title.text)).filter(Boolean).length")
    printed = sheets(base64.b64decode(opened.ask("Page.printToPDF", printBackground=True)["data"]))
    assert sum(len(sheet.texts) for sheet in printed) > 5 * written > 0
    for sheet in printed:
        assert all(0 < left < sheet.width and 0 < bottom < sheet.height for left, bottom, _ in sheet.texts)


def test_a_page_whose_script_may_not_run_has_the_rows(browser, page):
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(page[0])
        [head, *lines] = browser.evaluate("[...document.querySelectorAll('#without-script tr')].map((line) => line.innerText)")
    finally:
        browser.ask("Emulation.setScriptExecutionDisabled", value=False)
    assert len(lines) == len(rows())
    assert head.split("\t")[:5] == ["card", "work", "images/min", "s/image", "it/s"]
    assert "NVIDIA Test 900" in lines[0] and "24" in lines[0]
    assert browser.evaluate("document.querySelectorAll('#without-script script, #without-script img').length") == 0


@pytest.mark.parametrize("policy, says", [("default-src 'none'; style-src 'self'", True), ("style-src 'self'", False)])
def test_where_a_server_forbids_what_stands_in_the_page_it_says_so_or_has_the_figures_as_text(browser, page, tmp_path, policy, says):
    """As Jenkins does, by a header, which a meta element stands for here."""
    forbidden = tmp_path / "forbidden.html"
    forbidden.write_text(page[0].read_text().replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">', 1))
    browser.open(forbidden)
    assert ("did not run here" in browser.evaluate("document.body.innerText")) == says
    if not says:
        assert "NVIDIA Test 900: 68.6 images/min" in browser.wait_for("document.querySelector('.ranks').innerText")
        assert browser.complaints() and all("Content Security Policy" in text for text in browser.complaints())
    browser.open(page[0])
    browser.wait_for("document.querySelectorAll('canvas').length > 5")
    assert "did not run" not in browser.evaluate("document.body.innerText")


def test_machines_that_the_answer_has_no_room_for_are_counted(browser, tmp_path):
    open_rows(browser, tmp_path, [{**timed(f"r{i}", "NVIDIA Test 900", 20 + i), "env_id": f"e{i}", "host": f"h{i}"} for i in range(9)])
    card = browser.evaluate("document.querySelector('#answer article').innerText")
    assert browser.evaluate("document.querySelectorAll('#answer .ranks li').length") == 6
    assert "3 more machines, slower than these" in card
    assert browser.evaluate("document.querySelector('#answer .big').innerText").startswith("NVIDIA Test 900")


def test_one_machine_beyond_the_room_of_the_answer_is_said_in_the_singular(browser, tmp_path):
    for spread, words in ((0.0001, "slower than these"), (0.2, "slower by the mean, but not surely")):
        open_rows(browser, tmp_path, [{**timed(f"r{i}", "NVIDIA Test 900", 20 + i), "env_id": f"e{i}", "host": f"h{i}", "e2e_s_sd": spread} for i in range(7)])
        assert f"1 more machine, {words}, in the chart" in body(browser, "answer")


def test_a_card_whose_rows_all_contradict_themselves_is_named_in_the_answer(browser, tmp_path):
    wrong = {"flags": "contradicts_itself"}
    open_rows(browser, tmp_path, [timed("a", "NVIDIA Test 900", 20), {**timed("b", "NVIDIA Test 500", 10), **wrong},
                                  timed("c", "NVIDIA Test 900", 12, 2), timed("d", "NVIDIA Test 500", 6, 2), {**timed("e", "NVIDIA Test 500", 7, 2), **wrong}])
    first, second = browser.evaluate("[...document.querySelectorAll('#answer article')].map((card) => card.innerText)")
    [one, two] = (second, first) if "batch 2" in first else (first, second)
    assert "NVIDIA Test 500: each row contradicts itself in sd15 batch 1" in one
    assert "contradict" not in two  # there the card has a figure


def test_revisions_are_told_to_differ_within_an_engine_alone(browser, tmp_path):
    tuned = timed("a", "NVIDIA Test 900", 20, variant_id="tuned") | {"engine": "tuned", "engine_revision": 10}
    plain = timed("b", "NVIDIA Test 900", 18)
    open_rows(browser, tmp_path, [tuned, plain])
    assert "revision" not in body(browser, "answer")
    open_rows(browser, tmp_path, [tuned, plain, timed("c", "NVIDIA Test 500", 18) | {"engine_revision": 2}])
    assert "Mind what else differs between rows: sdbench plain revision 1 and 2." in body(browser, "answer")


def test_what_many_works_leave_out_of_a_chart_of_money_stands_in_its_caption(browser, tmp_path):
    open_rows(browser, tmp_path, [timed(f"{name}{batch}", name, 20, batch) for name in GPUS for batch in range(1, 31)])
    caption = browser.evaluate("document.querySelector('#money figcaption').innerText")
    assert "Images a watt-hour" in caption and "Drawn: 24 of 30 workloads, of each the 16 best bars." in caption


def test_what_is_not_told_apart_is_not_called_fastest_or_slower(browser, tmp_path):
    """The first word is the verdict, and nobody is slower by the order of means alone."""
    open_rows(browser, tmp_path, [{**timed(f"r{i}", "NVIDIA Test 900", 20 + i / 1000), "env_id": f"e{i}", "host": f"h{i}", "e2e_s_sd": 0.2} for i in range(9)])
    card = browser.evaluate("document.querySelector('#answer article').innerText")
    assert browser.evaluate("document.querySelector('#answer .big').innerText").startswith("unclear: NVIDIA Test 900")
    assert "3 more machines, slower by the mean, but not surely, in the chart" in card and "slower than these" not in card


def test_steps_of_a_row_that_did_not_end_well_are_marked(browser, tmp_path):
    open_rows(browser, tmp_path, [timed("a", "NVIDIA Test 900", 24), {**timed("b", "NVIDIA Test 500", 12), "status": "interrupted", "stage": "measure"},
                                  timed("c", "NVIDIA Test 500", 12, flags="partial")])
    labels = browser.evaluate("Chart.getChart(document.querySelector('#steps canvas')).data.datasets.map((set) => [set.label, set.pointStyle])")
    assert sorted((label.partition(" (")[2], style) for label, style in labels) == [
        ("", "circle"), ("interrupted)", "crossRot"), ("partial)", "crossRot")]


def page_data(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.DOTALL)[1])


def test_a_shared_page_has_the_trends_of_sdbench_trend_and_names_no_tag(tmp_path):
    """A tag that changes every night is beside one that divides the cell, so made-up names of whole tags cannot tell it."""
    driver = {True: "580.10", False: "570.86"}
    write_nights(tmp_path / "n.csv", [
        night_row(night, (1.2 if cooler == "zephyr" else 1.0) * (1.06 if night >= 20 else 1.0), name=cooler[0], driver_version=driver[night >= 20],
                  tags=f"chiller={cooler} room={1000 + night}") for night in range(24) for cooler in ("zephyr", "brook")])
    code, out, err = run(tmp_path, "trend", "n.csv", "--format", "json")
    assert code == 0, err
    cells = json.loads(out)["trends"]
    assert len(cells) == 2 and all(len(cell["changes"]) == 1 for cell in cells)
    figures = ("spread", "missing_nights", "changes", "nights")
    for more in ([], ["--private"]):
        code, _, err = run(tmp_path, "report", "n.csv", "-o", "nights.html", "--overwrite", *more)
        assert code == 0, err
        drawn = page_data(tmp_path / "nights.html")["trends"]
        assert [[cell[name] for name in figures] for cell in drawn] == [[cell[name] for name in figures] for cell in cells]
        assert len({cell["machine"] for cell in drawn}) == 2
        text = (tmp_path / "nights.html").read_text()
        assert [word for word in ("chiller", "zephyr", "brook", "room=") if (word in text) != bool(more)] == []


def test_models_of_one_name_in_two_folders_are_two_works_of_a_shared_page(browser, tmp_path):
    rows = [timed(f"{place}{batch}", "NVIDIA Test 900", it_s, batch, model=f"/home/{place}/tuned", weights=f"/home/{place}/w") | {"workload_id": f"{place}{batch}"}
            for place, it_s in (("ann", 20), ("bob", 10)) for batch in (1, 2)]
    open_rows(browser, tmp_path, rows)
    cards = browser.evaluate("[...document.querySelectorAll('#answer article')].map((card) => card.innerText.split('\\n')[0])")
    assert cards == [f"tuned 512x512, 20 steps, batch {batch}{number}" for batch in (1, 2) for number in ("", ", no. 2")]
    assert "/home" not in (tmp_path / "made.html").read_text()


def test_a_failed_last_night_is_said_beside_its_chart(browser, tmp_path):
    failed = {"status": "oom_device", **dict.fromkeys((*TIMES, *RATES), "")}
    write_nights(tmp_path / "n.csv", [*(night_row(night) for night in range(23)), night_row(23, **failed)])
    words = f"the last night, {date(23)}: OOM, no figure"
    assert words in run(tmp_path, "trend", "n.csv", "--fail-if-slower", "3%")[2]
    code, _, err = run(tmp_path, "report", "n.csv", "-o", "nights.html")
    assert code == 0, err
    browser.open(tmp_path / "nights.html")
    browser.wait_for("document.querySelector('#trend canvas') !== null")
    assert f"Failed: {words}. One level throughout." in body(browser, "trend")


def test_a_change_that_no_field_explains_has_the_words_of_trend(browser, tmp_path):
    write_nights(tmp_path / "n.csv", [night_row(night, 1.06 if night >= 12 else 1.0) for night in range(24)])
    words = "no recorded field explains it"
    assert words in " ".join(run(tmp_path, "trend", "n.csv")[1].split())
    assert run(tmp_path, "report", "n.csv", "-o", "nights.html")[0] == 0
    browser.open(tmp_path / "nights.html")
    browser.wait_for("document.querySelector('#trend canvas') !== null")
    assert f"x; {words}." in body(browser, "trend")


def test_cells_over_nights_are_drawn_with_their_changes(browser, tmp_path):
    nights = slower_nights()
    nights[5:8] = [night_row(5, 1.3)]  # an odd one, and two that lack
    write_nights(tmp_path / "n.csv", nights)
    code, _, err = run(tmp_path, "report", "n.csv", "-o", "nights.html")
    assert code == 0, err
    browser.size(830, 900)
    browser.open(tmp_path / "nights.html")
    browser.wait_for("document.querySelector('#trend canvas') !== null")
    assert f"Other levels since {date(20)}: 0.943x; driver_version 570.86 → 580.10." in body(browser, "trend")
    assert "sd15 512x512, 50 steps, batch 1: images/min by night, " in browser.evaluate("document.querySelector('#trend figcaption strong').innerText")
    chart = "Chart.getChart(document.querySelector('#trend canvas'))"
    assert browser.evaluate(f"{chart}.legend.legendItems.map((item) => item.text)") == [
        "a night", "first night of another level", "odd night, in no level", "baseline: the median of up to ten nights before"]
    days = browser.evaluate(f"{chart}.data.datasets[0].data.map((point) => point.x)")
    assert days[5] - days[4] == 4  # nights that lack leave their room
    labels = browser.evaluate(f"{chart}.scales.x.ticks.map((tick) => tick.label)")
    assert len(labels) > 3 and set(labels) <= {str(FIRST + datetime.timedelta(days=day)) for day in range(-1, 25)}
    browser.screenshot(tmp_path / "nights.png")
    assert browser.complaints() == []
