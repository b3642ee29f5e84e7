"""What the program says today, word for word, so that a change of it is a difference that somebody looks at.

Each case is a few commands in a folder of its own, over a worker that needs no libtorch; tests/data/corpus/NAME.txt is what they said.
After a wanted change: SDBENCH_UPDATE=1 scripts/test.sh -R "cli: corpus", and look at what git shows.
"""

import csv
import difflib
import json
import os
import pathlib
import re
import shlex
import sqlite3
from dataclasses import dataclass, field

import pytest
from ids import with_ids
from made_up_cards import made_up_cards
from made_up_nights import row, slower_nights, text_of
from program import PROGRAM, run
from terminal import seen

SOURCE = pathlib.Path(__file__).parents[2]
CORPUS = SOURCE / "tests" / "data" / "corpus"
WIDTHS = (60, 80, 140)
LONGEST = 160

# The inputs: a source of the checkout, which of its rows, and what is changed in them. A row of a benchmark gets its file's name as host.

NO_TIMES = dict.fromkeys("unet_s e2e_s unet_it_s s_per_it e2e_it_s images_per_min first_image_it_s unet_s_sd e2e_s_sd j_per_image".split(), "")
STUDY = {**NO_TIMES, "repeat": "0", "images": "4", "quality_reference": "fp32", "latents_nmse": "0.00021"}
GPU = {"device_kind": "cuda", "device": "cuda", "compute_capability": "8.6", "sm_count": 28, "sm_clock_hz_max": 1.8e9, "dtype_unet": "fp16"}
INVENTED = "tests/data/compare/invented-{}.csv"
RECORDS = "benchmarks/records/{}"
ALL = slice(None)

INPUTS = {
    "v4.csv": ("tests/data/record-v4.csv", ALL, {}),
    "v4.json": ("tests/data/record-v4.json", ALL, {}),
    "v3.csv": ("tests/data/record-v4.csv", ALL, {"schema_version": "3"}),
    **{f"{name}.csv": (INVENTED.format(name), ALL, {}) for name in ("alpha", "bravo", "charlie", "delta", "echo")},
    "slower.csv": (INVENTED.format("alpha"), slice(1), {"run_id": "slower", "unet_it_s": "30", "unet_s": "1.6667", "s_per_it": "0.033333",
                                                              "e2e_s": "1.9", "e2e_it_s": "26.316", "images_per_min": "31.579"}),
    "fp16-study.csv": (INVENTED.format("alpha"), slice(1), {**STUDY, "run_id": "study1", "psnr_db_mean": "31.25", "psnr_db_min": "30.5",
                                                          "ssim_mean": "0.987", "ssim_min": "0.98"}),
    "fp32-study.csv": (INVENTED.format("alpha"), slice(7, 8), {**STUDY, "run_id": "study2", "quality_reference": "fp32, 100 steps",
                                                               "psnr_db_mean": "55", "psnr_db_min": "54", "ssim_mean": "0.9999", "ssim_min": "0.9998"}),
    "sdxl-study.csv": (INVENTED.format("bravo"), slice(2, 3), {**STUDY, "run_id": "study3", "psnr_db_mean": "22", "psnr_db_min": "18",
                                                               "ssim_mean": "0.71", "ssim_min": "0.6"}),
    "axes.jsonl": (RECORDS.format("2026-11-23-axes-cpu.jsonl"), slice(None, None, 6), {}),
    "axes2.jsonl": (RECORDS.format("2026-11-25-axes-second-cpu.jsonl"), slice(None, None, 5), {}),
    "cost.jsonl": (RECORDS.format("2026-11-25-cost-second-cpu.jsonl"), slice(None, None, 2), {}),
    "ends.jsonl": (RECORDS.format("2026-11-25-cost-fp32-ends-second-cpu.jsonl"), ALL, {}),
    "memory.jsonl": (RECORDS.format("2026-11-25-memory-second-cpu.jsonl"), ALL, {}),
    "peers.jsonl": (RECORDS.format("2026-11-23-sd15-512-bf16-beside-peers.jsonl"), slice(9), {}),
    "compiled.jsonl": (RECORDS.format("2026-11-23-sd15-512-bf16-torch-compile-beside-peers.jsonl"), slice(6), {}),
    "openvino.jsonl": (RECORDS.format("2026-11-24-second-cpu-beside-openvino.jsonl"), slice(None, None, 7), {}),
    "sdxl.jsonl": (RECORDS.format("2026-11-23-sdxl-512-fp32-beside-peers.jsonl"), slice(4), {}),
    "small.jsonl": (RECORDS.format("2026-11-23-sd15-256-beside-peers.jsonl"), slice(4), {}),
    "user.jsonl": (RECORDS.format("2026-11-23-sd15-512-bf16-as-a-user-sdbench.jsonl"), ALL, {}),
    "first.json": (RECORDS.format("2026-11-22-sd15-512-fp32-sdbench.json"), ALL, {}),
    "again.json": (RECORDS.format("2026-11-22-sd15-512-bf16-again-sdbench.json"), ALL, {}),
    "one.jsonl": (RECORDS.format("2026-11-25-memory-second-cpu.jsonl"), slice(1), {}),
    "busy.jsonl": (RECORDS.format("2026-11-25-memory-second-cpu.jsonl"), slice(1), {
        "run_id": "busy", "flags": "busy noisy swapping", "busy_programs": "cc1plus 184 %, python3 12 %"}),
    "card.jsonl": (RECORDS.format("2026-11-25-memory-second-cpu.jsonl"), slice(1), {
        "device_kind": "cuda", "device": "cuda:1", "device_name": "A card", "attention": "cudnn", "graphs": "on", "packed_weights": "own"}),
    "gpu1.jsonl": (RECORDS.format("2026-11-25-memory-second-cpu.jsonl"), slice(1, 2), {
        **GPU, "run_id": "gpu1", "device_name": "NVIDIA GeForce RTX 3060"}),
    "gpu2.jsonl": (RECORDS.format("2026-11-25-memory-second-cpu.jsonl"), slice(2, 3), {
        **GPU, "run_id": "gpu2", "device_name": "NVIDIA GeForce GTX 1080", "compute_capability": "6.1", "sm_count": 20}),
    "unheard.jsonl": (RECORDS.format("2026-11-25-memory-second-cpu.jsonl"), slice(1), {"model": "unheard-of"}),
    "study.jsonl": (RECORDS.format("2026-11-25-memory-second-cpu.jsonl"), slice(1), {"quality_reference": "fp32"}),
    "future.jsonl": (RECORDS.format("2026-11-25-memory-second-cpu.jsonl"), slice(1), {"schema_version": 99}),
    "peer.json": (RECORDS.format("2026-11-22-sd15-512-fp32-diffusers.json"), None, {}),
}

TELEMETRY = ("time_s,time_utc,run_id,cell_id,phase,device,uuid,load_percent,clock_hz,memory_clock_hz,temperature_c,power_w,energy_j,fan_percent,"
             "memory_used_bytes,memory_free_bytes,pcie_generation,pcie_width,memory_available_bytes,swap_used_bytes,swap_traffic_bytes,"
             "worker_rss_bytes,throttle_reasons,core_load_percent,problem\n")

def text_of_cards(count, kept):
    """Lines of JSON of so many made-up cards, each of one start of every cell that is `kept`."""
    return "".join(json.dumps(made) + "\n" for made in made_up_cards(count, restarts=1) if kept(made))


TEXTS = {
    "bad.csv": 'run_id,steps\n"x","many"\n',
    "empty.csv": "",
    "mine.json": '{"my": "data"}\n',
    "pictures.csv": "quality_schema_version,study_id,run_id,candidate,psnr_db\n1,s,r,bf16,31.5\n",
    "prices.csv": "gpu,price,currency,hourly,date,kwh_price,memory_gb_s\nRTX 3060,1800,EUR,0.5,2026-11-28,0.3,360\n"
                  "GTX 1080,90,EUR,,2026-11-20,,320\nNone such,1,EUR,,2026-11-20,,\n",
    "telemetry.csv": TELEMETRY + "".join(
        f'{i},"2026-01-01T12:00:0{i}Z","{run}","c","unet","gpu0","u",99,1500000000,,{50 + i},{200 + i},,,,,,,,,,,"none","",""\n'
        for run in ("gpu1", "elsewhere") for i in range(4)),
    "options.json": '{"model": "tiny-sd15", "weights": "synthetic", "device": "cpu", "steps": [2, 3], "label": "nightly"}\n',
    "wrong.json": '{"stepz": 5}\n',
    "nights.csv": text_of(sorted([*slower_nights(), *(row(night, 1.1 if night == 9 else 1.0, name="x", workload_id=8 * "5d", model="sdxl") for night in range(12)),
                           row(12, name="x", workload_id=8 * "5d", model="sdxl", status="crash", **dict.fromkeys(NO_TIMES, ""))],
                                 key=lambda made: made["time_utc"])),
    "the card's rows.jsonl": text_of_cards(8, lambda made: (made["device_name"], made["model"]) not in {("NVIDIA L4", "sdxl"), ("Tesla T4", "sd15")}),
    "forty.jsonl": text_of_cards(40, lambda made: made["engine"] == "tuned" and (made["model"], made["batch"]) in {("sd15", 1), ("sdxl", 4)}),
    "clocks.csv": text_of([row(0), row(1, time_utc="1970-01-01T00:00:09Z"), row(2, time_utc="2999-01-01T00:00:00Z"), row(3, time_utc="")]),
}

# The cases.

CELL = "-m tiny-sd15 --weights synthetic --device cpu --size 64x64 --telemetry-interval 0"
MACHINES = "alpha.csv bravo.csv charlie.csv delta.csv echo.csv"
STUDIES = "fp16-study.csv fp32-study.csv sdxl-study.csv"
MANY = "first.json again.json user.jsonl axes.jsonl ends.jsonl memory.jsonl peers.jsonl openvino.jsonl"


@dataclass
class Case:
    """Commands, without the program's name; all inputs that they name are there, and the files of `shown` are looked at afterwards."""
    commands: str
    shown: tuple = ()
    how: str = ""  # the worker misbehaves
    gpus: bool = False  # those of the stand-in for the driver's library
    measured: bool = False  # it has rows of this machine
    widths: tuple = ()  # on terminals, else piped
    more: dict = field(default_factory=dict)  # of the environment


TABLE = {
    "help": Case("--help; run --help; help; list --help; list models --help; quality --help; export-weights --help; --version"),
    "help-of-results": Case("compare --help; trend --help; report --help; merge --help; reproduce --help; bugreport --help"),
    "lists": Case("list models; list presets; list models --format json; list presets --format json; list; list modles; list models --format csv"),
    "lists-seen": Case("list models; list presets", widths=WIDTHS),
    "help-seen": Case("--help; compare --help", widths=(60, 140)),
    "mistakes-of-run": Case("--stepz 5; lst; --steps 0; -m tiny-sd15 --size 100x64; --dtype fp61; --graphs maybe; -o csv; -m sd51; --telemetry samples.json; "
                            "--preset quik; --config wrong.json; --config none.json; --batch 1,x; --seed -1; --repeat 0; --max-noise 5; --prompt @none.txt; "
                            "--format xml --no-save; --device gpu; --weights none.safetensors; -m tiny-sd15 --device cpu -o mine.json; export-weights"),
    "mistakes-of-results": Case(
        "compare; compare none.csv; compare alpha.csv --metric unet_its; compare alpha.csv --metric host; compare alpha.csv --filter steps; "
        "compare alpha.csv --filter host=zulu; compare alpha.csv --rows hots; compare alpha.csv --baseline alpah; compare alpha.csv --threshold 1; "
        "compare alpha.csv --fail-if-slower 5%; compare alpha.csv --format jsn; compare alpha.csv -o table.db; compare alpha.csv --explain 1; "
        "compare alpha.csv --explain 1 99; compare alpha.csv --fields verdcit; compare alpha.csv --fields label -o t.md; "
        "compare alpha.csv --title ''; compare empty.csv; compare bad.csv; compare pictures.csv; compare peer.json; compare alpha.csv -o mine.json; "
        "merge; merge alpha.csv; merge alpha.csv -o all.txt; merge none.csv -o all.csv; merge alpha.csv -o all.csv --redact hosts; merge empty.csv -o all.csv; "
        "merge bad.csv alpha.csv -o all.csv; merge future.jsonl -o all.csv; merge alpha.csv -o bravo.csv; "
        "report; report none.csv; report alpha.csv; report alpha.csv -o page.txt; report empty.csv -o page.html; report alpha.csv -o mine.json"),

    "plan": Case(f"run {CELL} --batch 1,2 --dtype fp32,bf16 --rounds 2 --no-save --dry-run; run {CELL} --guidance 1,7.5 --no-save --dry-run --format json; "
                 "run --config options.json --no-save --dry-run; run -m sd15,sdxl --weights synthetic --device cpu --size 512x512,768x768 --no-save --dry-run"),
    "plan-of-presets": Case("; ".join(f"--preset {name} --weights synthetic --device cpu --no-save --dry-run"
                                    for name in ("batch-sweep", "card", "card-cpu", "engines", "lake-house", "onnxruntime-2022", "precision", "quick",
                                                 "tensorrt-2023", "throughput-24"))),
    "plan-of-gpus": Case("-m sd15,sdxl --weights synthetic --device all --parallel --no-save --dry-run; "
                         "-m sdxl --weights synthetic --device cuda:0,cuda:1 --dtype fp16,bf16 --graphs on,off --no-save --dry-run --format json", gpus=True),
    "plan-seen": Case(f"run {CELL} --batch 1,2 --dtype fp32,bf16 --label night --no-save --dry-run; "
                      "--preset lake-house --weights synthetic --device cpu --no-save --dry-run", widths=WIDTHS),
    "plan-of-what-is-left": Case(f"run {CELL} --batch 1,2 -o a.csv -q; run {CELL} --batch 1,2,4 -o a.csv --resume --dry-run; "
                                 f"run {CELL} --batch 1,2,4 -o a.csv --dry-run --format json", measured=True),

    "run-one": Case(f"run {CELL} --no-save; "
                    f"run {CELL} --no-save --label 'a \"b\", c|d' --note 'a note' --seed 7 --steps 3 --repeat 1 --warmup 0 -v", measured=True),
    "run-table": Case(f"run {CELL} --batch 1,2 --no-save; run {CELL} --batch 1,2 --steps 2,3 --dtype fp32,bf16 --no-save -q", measured=True),
    "run-csv": Case(f"run {CELL} --batch 1,2 --no-save --format csv", measured=True),
    "run-md": Case(f"run {CELL} --batch 1,2 --label 'a|b' --tag cooler=air --no-save --format md", measured=True),
    "run-org": Case(f"run {CELL} --batch 1,2 --label 'a|b' --no-save --format org; run {CELL} -o a.org -q", shown=("a.org",), measured=True),
    "run-jsonl": Case(f"run {CELL} --batch 1,2 --no-save --format jsonl", measured=True),
    "run-json": Case(f"run {CELL} --no-save --format json", measured=True),
    "run-files": Case(f"run {CELL} -o a.csv -o a.jsonl -o a.json -o a.md -o a.db; "
                      f"run {CELL} -o a.csv --resume", shown=("a.csv", "a.md", "a.db"), measured=True),
    "run-from-a-file": Case("run --config options.json --size 64x64 --telemetry-interval 0 --no-save", measured=True),
    "run-with-weights-looked-for": Case("run -m tiny-sdxl --device cpu --size 64x64 --telemetry-interval 0 --no-save; "
                                        "run -m sd15 --device cpu --size 64x64 --steps 2 --telemetry-interval 0 --no-save", measured=True),
    "run-seen": Case(f"run {CELL} --batch 1,2 --no-save -q; run {CELL} --no-save -q", measured=True, widths=WIDTHS),
    "run-seen-in-ascii": Case(f"run {CELL} --no-save -q; compare alpha.csv bravo.csv", measured=True, widths=(80,), more={"LC_ALL": "C"}),
    **{f"run-that-{how.replace('_', '-')}": Case(f"run {CELL} --batch 1,2 --no-save", how=how, measured=True)
       for how in ("fails", "nan", "refuses", "exit3", "segfault", "garbage", "other_version", "loader", "escapes")},
    "run-of-gpus": Case("-m sd15 --weights synthetic --device cuda:0 --telemetry-interval 0 --no-save", gpus=True, measured=True),

    "compare": Case(f"compare {MACHINES}; compare {MACHINES} --metric images_per_min --filter model=sd15 --filter host!=echo; "
                    f"compare {MACHINES} --rows host,dtype_unet --columns steps --metric e2e_s --baseline alpha; compare .; "
                    "compare bad.csv alpha.csv bravo.csv"),
    "compare-metrics": Case("; ".join(f"compare {MACHINES} --metric {metric}" for metric in (
        "s_per_it", "e2e_it_s", "first_image_it_s", "unet_s", "j_per_image", "peak_device_allocated_bytes", "peak_host_bytes"))),
    "compare-md": Case(f"compare {MACHINES} --format md; compare axes.jsonl memory.jsonl --format md"),
    "compare-org": Case(f"compare {MACHINES} --format org; compare alpha.csv bravo.csv -o t.org", shown=("t.org",)),
    "compare-csv": Case("compare alpha.csv charlie.csv echo.csv --format csv"),
    "compare-json": Case(f"compare {MACHINES} --format json; compare peers.jsonl --format json"),
    "compare-html": Case(f"compare {MACHINES} --format html; compare {STUDIES} alpha.csv --format html"),
    "compare-fields": Case(f"compare {MACHINES} --fields verdict,value,e2e_s,power_limit_w,driver_version,notes; "
                           "compare alpha.csv bravo.csv --fields value,ci95,run_id,seed --format csv; "
                           "compare alpha.csv bravo.csv --fields value,ci95,run_id,seed --format md --title 'Two <b>cards</b> | & *more*'; "
                           "compare alpha.csv bravo.csv --fields value,host --title Two -o t.org", shown=("t.org",)),
    "compare-cards": Case('compare "the card\'s rows.jsonl" --missing --title "Eight of our cards"; '
                          'compare "the card\'s rows.jsonl" --missing --fields value,s_per_image,unet_it_s,verdict,tag:cooler --format md'),
    "compare-cards-html": Case('compare "the card\'s rows.jsonl" --missing --title "Eight of our cards" --with-published --format html'),
    "compare-cards-seen": Case('compare "the card\'s rows.jsonl" --missing --filter model=sdxl; '
                               'compare "the card\'s rows.jsonl" --rows device_name,engine', widths=(80,)),
    "compare-forty": Case("compare forty.jsonl --title 'Forty cards' --format md"),
    "compare-forty-seen": Case("compare forty.jsonl", widths=(80,)),
    "compare-files": Case("compare alpha.csv bravo.csv -o t.md; compare alpha.csv bravo.csv -o t.txt; compare alpha.csv bravo.csv -o t.csv -q",
                          shown=("t.md", "t.txt")),
    "compare-seen": Case(f"compare {MACHINES}; compare {MACHINES} --explain 1 4; compare peers.jsonl", widths=WIDTHS),
    "compare-baselines": Case(f"compare {MACHINES} --baseline bravo.csv; compare {MACHINES} --baseline 4 --threshold 5%; "
                              "compare slower.csv --baseline alpha.csv --fail-if-slower 5%; "
                              "compare slower.csv alpha.csv --baseline alpha.csv --fail-if-slower 50%; "
                              "compare delta.csv --baseline delta.csv --fail-if-slower 5%"),
    "compare-published": Case(f"compare {MACHINES} --with-published; compare alpha.csv --with-published --format json --filter model=sdxl"),
    "compare-explained": Case(f"compare {MACHINES} --explain 1 2; "
                              f"compare {MACHINES} --explain 'Invented RTX 9000 on alpha, fp16' 'Invented RTX 9000 on alpha, fp32'; "
                              "compare axes.jsonl --explain 1 2; compare peers.jsonl --explain 1 3; compare first.json again.json --explain 1 2"),
    "compare-samples": Case("compare v4.csv; compare v4.json; compare v3.csv; compare v3.csv v4.json; compare v4.json --format json"),
    "compare-studies": Case(f"compare {STUDIES}; compare {STUDIES} {MACHINES}; compare {STUDIES} --metric ssim_mean; compare {STUDIES} --format md; "
                            f"compare {STUDIES} --format json; compare {STUDIES} alpha.csv --explain 1 2"),
    "compare-studies-seen": Case(f"compare {STUDIES} alpha.csv bravo.csv", widths=(60, 140)),
    "compare-busy": Case("compare one.jsonl busy.jsonl; compare one.jsonl busy.jsonl --explain 1 2; compare one.jsonl busy.jsonl --format md"),
    **{f"compare-{name}": Case(f"compare {files}") for name, files in {
        "axes": "axes.jsonl", "axes-of-two": "axes.jsonl axes2.jsonl", "cost": "cost.jsonl", "ends": "ends.jsonl cost.jsonl", "memory": "memory.jsonl",
        "peers": "peers.jsonl compiled.jsonl", "openvino": "openvino.jsonl sdxl.jsonl small.jsonl", "first": "first.json again.json user.jsonl"}.items()},
    "compare-many": Case(f"compare {MANY} --metric images_per_min; compare {MANY} --metric peak_host_bytes --rows device_name,engine; "
                         f"compare {MANY} --metric load_s --rows dtype_unet"),

    "trend": Case("trend nights.csv; trend nights.csv --fail-if-slower 3%; trend nights.csv --format md --metric images_per_min,unet_it_s; "
                  "trend nights.csv --format junit --fail-if-slower 3%; trend nights.csv --format html --filter model=sd15; trend clocks.csv; trend empty.csv; "
                  "trend; trend nights.csv --format junit; trend nights.csv --format csv"),
    "trend-json": Case("trend nights.csv --format json; trend nights.csv --filter model=sd15 -o t.org", shown=("t.org",)),
    "trend-seen": Case("trend nights.csv", widths=(60, 140)),

    "merge-csv": Case("merge v4.csv v4.json bravo.csv -o all.csv; merge v4.csv all.csv -o all.csv", shown=("all.csv",)),
    "merge-json": Case("merge v4.json first.json -o all.json", shown=("all.json",)),
    "merge-jsonl": Case("merge v4.json ends.jsonl -o all.jsonl; merge all.jsonl -o back.csv", shown=("all.jsonl",)),
    "merge-md": Case(f"merge {MACHINES} v4.json v4.csv first.json user.jsonl -o all.md", shown=("all.md",)),
    "merge-org": Case(f"merge {MACHINES} v4.json -o all.org; merge {MACHINES} v4.json -o all.org -q; merge alpha.csv -o all.org", shown=("all.org",)),
    "merge-db": Case("merge v4.json delta.csv -o all.db; merge all.db -o back.json; merge back.json -o all.db", shown=("all.db",)),
    "merge-redacted": Case("merge echo.csv one.jsonl -o shared.jsonl --redact host,uuid,argv,label,note,processes,system", shown=("shared.jsonl",)),
    "merge-twice": Case("merge v4.json v4.csv v4.csv -o all.csv; merge . -o every.json; merge . -o every.json -q"),

    "report": Case(f"report {MACHINES} {STUDIES} -o page.html", shown=("page.html",)),
    "report-of-gpus": Case("report gpu1.jsonl gpu2.jsonl telemetry.csv --prices prices.csv -o page.html", shown=("page.html",)),
    "report-of-benchmarks": Case("report first.json one.jsonl small.jsonl ends.jsonl -o page.html", shown=("page.html",)),
    "report-of-samples": Case("report v4.json v3.csv bad.csv -o page.html", shown=("page.html",)),

    "reproduce": Case("; ".join(f"reproduce {file} --no-save" for file in ("one.jsonl", "first.json", "again.json", "busy.jsonl",
                                                                          "card.jsonl --device cpu")), measured=True),
    "reproduce-of-several": Case("reproduce user.jsonl --no-save; reproduce axes.jsonl --run-id fab8 --no-save; "
                                 "reproduce axes.jsonl --run-id 000000 --no-save; "
                                 "reproduce alpha.csv --run-id 3af7a73f --repeat 2 --prompt 'a cat' --no-save; reproduce ends.jsonl --run-id x --no-save; "
                                 "reproduce peers.jsonl --run-id x --no-save", measured=True),
    "reproduce-in-vain": Case("; ".join(f"reproduce {file} --no-save" for file in (
        "v4.csv", "v4.json", "v4.json", "v4.json --run-id 'the run_id'", "v4.csv --run-id 'the run_id'", "v4.csv --run-id 0123", "unheard.jsonl", "study.jsonl",
        "future.jsonl", "peer.json", "empty.csv", "mine.json", "none.json",
        "one.jsonl --device all", "one.jsonl --repeat 1,2", "one.jsonl --steps 3")) + "; reproduce"),
    "reproduce-into-a-file": Case(f"run {CELL} -o a.json -q; reproduce a.json -o b.jsonl; reproduce a.json -o a.json", shown=("b.jsonl",), measured=True),
    "quality": Case("quality -m tiny-sd15 --dtype fp61; quality; quality -m tiny-sd15 --device cpu --dtype fp32; "
                    "quality -m tiny-sd15 --reference dtpe=fp32 --dtype bf16; "
                    "quality -m tiny-sd15 --dtype bf16 -o a.md; quality -m tiny-sd15 --min-psnr x --dtype bf16"),
}
WIDE = {name: case for name, case in TABLE.items() if case.widths}
NAMES = [name for name in TABLE if name not in WIDE] + [f"{name}-{width}" for name, case in WIDE.items() for width in case.widths]


def case_of(name):
    """The case, and the terminal's width."""
    if name in TABLE:
        return TABLE[name], None
    stem, width = name.rsplit("-", 1)
    return TABLE[stem], int(width)


# What changes without a change of the program.

# Of a row that this machine measures: its name, its parts, its settings, who else was on it, what the sensors saw, the moment, and the random names.
OF_THE_MACHINE = """
    host os kernel cpu core_count core_list host_memory_bytes governor power_supply container cuda_visible_devices allocator_config
    memory_high_bytes transparent_huge_pages numa_balancing core_kinds preloaded
    slurm_job slurm_node slurm_partition slurm_sharing openmp_config instruction_config cuda_config flags busy_programs run_id sweep_id env_id time_utc sdbench_version git_sha
    telemetry_samples energy_j energy_source j_per_image host_energy_j cpu_load_percent foreign_cpu_percent_mean
    foreign_cpu_percent_max steal_percent cpu_throttled_percent cpu_pressure_percent cpu_clock_hz_min cpu_clock_hz_mean
    cpu_clock_hz_max cpu_temperature_c_max cpu_thermal_events fan_rpm_max other_temperature_c_max other_temperature_sensor worker_rss_max_bytes swap_used_max_bytes swap_traffic_bytes power_w_idle power_w_min
    power_w_mean power_w_max power_limit_w temperature_c_start temperature_c_mean temperature_c_max
""".split()
NAMED = "|".join(OF_THE_MACHINE)


def masked(text, program, case):
    """Without what another machine, folder, moment or build says otherwise."""
    text = text.replace(str(program.parents[1]), "INSTALLED")
    text = re.sub(r"(?m)^(sdbench|commit|build|libtorch)( +)\S+$", r"\1\2MASKED", text)  # --version
    text = re.sub(r'("created_utc":)"[^"]*",\n?("sdbench_version":)"[^"]*"', r"\1MASKED,\2MASKED", text)  # of a page, not of its rows
    if not case.commands.startswith("merge"):  # the last bits are of the machine's mathematics; a merge computes nothing
        text = re.sub(r"-?\d+\.\d{12,}(e[-+]\d+)?", lambda number: f"{float(number[0]):.12g}", text)
    if case.measured:
        text = re.sub(rf'(?m)^(\s*"?({NAMED})"?[:=] ?).*?(,?)$', r"\1MASKED\3", text)  # a field on a line of its own: JSON, CSV, a database
        text = re.sub(r'("start_s": ?|\bstart_s=)[\d.]+', r"\1MASKED", text)
        text = re.sub(r"((?:<!--|#) sdbench run: |\breproduces )\w+", r"\1MASKED", text)  # random names
        text = re.sub(rf"(, )?\b({NAMED}) \(here (\([^)]*\)|[^()])*\)", "", text)  # what differs from a record
        text = re.sub(r"(request \d+ of )\d+", r"\1PID", text)  # the stub's own words
        text = re.sub(r"(?m)^note +(the machine|the processor).*\n|^  flag +.*\n", "", text)  # busy, on a battery, slowed down
        text = re.sub(r"\n\S*Sensors during the timed runs\S*\n(  .*\n)+", "", text)  # of a processor that tells its energy
    return text


# The forms in which lines can be compared.

def cells_by_name(text):
    """CSV with many columns, as it stands, but each cell on a line behind its column's name."""
    if not re.match(r"\w+(,\w+){9,}\n", text):
        return text
    rows, row = [], []
    for cell, end in re.findall(r'("(?:[^"]|"")*"|[^,\n]*)(,|\n)', text):
        row.append(cell)
        if end == "\n":
            rows.append(row)
            row = []
    return "".join("".join(f"{name}={cell}\n" for name, cell in zip(rows[0], row, strict=True)) + "\n" for row in rows[1:])


def page_parts(text):
    """Of a report: its rows without a script, and the data of the script. The rest stands in configs/."""
    rows = re.search(r'<div id="without-script">.*?</div>(?=\n<main)', text, re.DOTALL)[0]
    return rows + "\n" + re.search(r'<script type="application/json" id="data">.*?</script>', text, re.DOTALL)[0] + "\n"


def database_text(file):
    with sqlite3.connect(file) as database:
        text = ""
        for table, sql in database.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"):
            text += sql.replace(", ", ",\n") + "\n"
            cursor = database.execute(f"SELECT * FROM {table}")
            text += "".join("".join(f"{column[0]}={value!r}\n" for column, value in zip(cursor.description, row)) + "\n" for row in cursor)
    return text


def shown(file):
    if file.suffix == ".db":
        return database_text(file)
    text = file.read_text(encoding="utf-8")
    return page_parts(text) if file.suffix == ".html" else text


def broken(line):
    """A long line of JSON or HTML in lines, so that a difference is of few values."""
    return line if len(line) <= LONGEST else re.sub(r',(?="\w+":)|(?<=}),(?={)|(?<=</t[dh]>)', lambda place: place[0] + "\n", line)


def in_lines(text):
    visible = cells_by_name(text).replace("\x1b", "␛").replace("\r\n", "\n").replace("\r", "␍\n")
    return "\n".join(map(broken, visible.split("\n")))


# What is there to read before the commands, and what they said.

def words_of(case):
    return {word for command in case.commands.split("; ") for word in shlex.split(command)}


def write_input(folder, name):
    if name in TEXTS:
        (folder / name).write_text(TEXTS[name], encoding="utf-8")
        return
    source, which, changes = INPUTS[name]
    text = (SOURCE / source).read_text(encoding="utf-8")
    if which is None or (which == ALL and not changes and not source.startswith("benchmarks/")):
        (folder / name).write_text(text, encoding="utf-8")
    elif name.endswith(".csv"):
        rows = [{**row, **changes} for row in list(csv.DictReader(text.splitlines()))[which]]
        if "images" in changes:  # other work; an env_id is of more than these columns
            rows = [{**with_ids(row), "env_id": row["env_id"]} for row in rows]
        with open(folder / name, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    else:
        rows = json.loads(text) if source.endswith(".json") else [json.loads(line) for line in text.splitlines()]
        rows = [with_ids({**row, "host": name.split(".")[0], **changes}) for row in rows[which]]
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        (folder / name).write_text("[" + ",".join(lines) + "]" if name.endswith(".json") else "\n".join(lines) + "\n", encoding="utf-8")


def environment_of(case, folder):
    """Nothing of ours but what starts programs: no cache of weights, no GPU, no colours, no settings of threads."""
    nvml = os.environ["SDBENCH_FAKE_NVML_LIBRARY"] if case.gpus else "/none"
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), "LC_ALL": "C.UTF-8", "TERM": "xterm", "SDBENCH_NVML": nvml,
            "SDBENCH_STUB": case.how, "SDBENCH_STUB_GPUS": "3" if case.gpus else "0", "SDBENCH_ENGINES": "/none", **case.more}


def said(case, width, folder, program):
    """All that the case's commands say, and what they leave."""
    env = environment_of(case, folder)
    if "report" in case.commands:  # whose charts' library lies beside the build's program alone
        program = pathlib.Path(PROGRAM)
    for name in sorted({*INPUTS, *TEXTS} & words_of(case)):
        write_input(folder, name)
    text = ""
    for command in case.commands.split("; "):
        text += f"$ sdbench {command}\n"
        if width:
            text += in_lines(seen(folder, width, *shlex.split(command), program=program, env=env))
            continue
        code, out, err = run(folder, *shlex.split(command), program=program, env=env, encoding="utf-8")
        text += in_lines(out) + ("[stderr]\n" + in_lines(err) if err else "") + f"[exit code {code}]\n\n"
    for name in case.shown:
        text += f"[{name}]\n" + in_lines(shown(folder / name)) + "\n"
    return masked(text, program, case)


@pytest.mark.parametrize("name", NAMES)
def test_the_program_says_what_the_corpus_holds(name, program, tmp_path):
    case, width = case_of(name)
    expected = CORPUS / f"{name}.txt"
    text = said(case, width, tmp_path, program)
    if "SDBENCH_UPDATE" in os.environ:
        expected.parent.mkdir(exist_ok=True)
        expected.write_text(text, encoding="utf-8")
    before = expected.read_text(encoding="utf-8") if expected.exists() else ""
    if text != before:
        difference = difflib.unified_diff(before.splitlines(), text.splitlines(), f"corpus/{name}.txt", "now", lineterm="", n=2)
        words = 'it says something else; if that is wanted: SDBENCH_UPDATE=1 scripts/test.sh -R "cli: corpus", and look at what git shows'
        pytest.fail("\n".join([words, *difference]), pytrace=False)


def test_every_file_of_the_corpus_belongs_to_a_case_and_every_input_to_a_command():
    assert sorted(file.name for file in CORPUS.iterdir()) == sorted(f"{name}.txt" for name in NAMES)
    assert {*INPUTS, *TEXTS} <= set().union(*map(words_of, TABLE.values()))


def test_the_corpus_is_small():
    assert sum(file.stat().st_size for file in CORPUS.iterdir()) < 1_500_000
