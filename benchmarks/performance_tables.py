#!/usr/bin/env python3
"""Writes the tables of docs/performance.md, and of the notes beside the records, from the records in benchmarks/records/.

    benchmarks/performance_tables.py            writes them
    benchmarks/performance_tables.py --check    names the tables that differ; exit code 1 if there is one

A table stands between `<!-- table NAME -->` and `<!-- end of table -->`. Seconds have three digits. A ratio divides sdbench's time, or an
axis's time, by the other one: below 1, sdbench or the axis is faster.
"""
import json
import pathlib
import re
import statistics
import sys
import textwrap

import busy_machine

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDS = ROOT / "benchmarks/records"
GIB = 2**30

MODELS = {"sd15": "SD 1.5", "sdxl": "SDXL"}
PEERS = {"openvino": "OpenVINO", "diffusers": "diffusers", "diffusers-compile": "torch.compile", "pytorch": "PyTorch", "pytorch-compile": "torch.compile",
         "onnxruntime": "ONNX Runtime"}
def a_step(row):
    return statistics.median(step for run in row["samples"] for step in run["step_s"])


STAGES = {"step": a_step,
          "VAE": lambda row: statistics.median(run["vae_s"] for run in row["samples"]),
          "end to end": lambda row: statistics.median(run["e2e_s"] for run in row["samples"])}
AXES = ["attention", "packed_weights", "memory_format", "kernels", "host_allocator", "kv_cache", "time_cache",
        "shared_prefix"]


def rows_of(name):
    """The good rows of a file of JSON lines, in its order."""
    rows = [json.loads(line) for line in (RECORDS / name).read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["status"] == "ok"]


def object_of(name):
    return json.loads((RECORDS / name).read_text(encoding="utf-8"))


def figure(value, digits=3):
    """A text with three digits: 0.853, 14.0, 123."""
    return f"{value:#.{digits}g}".rstrip(".") if value < 10**digits else f"{value:.0f}"


def spread(values):
    """The median, with minimum and maximum."""
    return f"{figure(statistics.median(values))} ({figure(min(values))}–{figure(max(values))})"


def table(head, lines, names, rows=()):
    """A table in Markdown with its sources: the records' names, and the revisions of engine tuned in `rows`."""
    revisions = sorted({str(row["engine_revision"]) for row in rows if row["engine"] == "tuned"}, key=int)
    source = "Records: " + ", ".join(f"`{name}`" for name in names)
    if revisions:
        source += "; engine tuned, revision " + ", ".join(revisions)
    source = textwrap.fill(source + ".", 140, break_on_hyphens=False)
    out = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(out + ["| " + " | ".join(line) + " |" for line in lines] + ["", source])


def work(row):
    return f"{MODELS[row['model']]}, {row['width']}x{row['height']}, {row['dtype_unet']}"


def sittings(rows):
    """Runs of the former scripts/benchmark.sh that follow each other in one file: work -> engine -> round -> row. For each work only the last run
    counts, which has the newest revision."""
    found = {}
    for row in rows:
        engines = found.setdefault(work(row), {})
        if row["round"] in engines.get(row["engine"], {}):
            found[work(row)] = engines = {}
        engines.setdefault(row["engine"], {})[row["round"]] = row
    return found


def beside_peers(names):
    """A line for each work and peer: medians over the rounds, and the rounds' ratios. A pair in two records is taken from the first."""
    lines, used, told = [], [], set()
    for name in names:
        for title, engines in sittings(rows_of(name)).items():
            ours = engines.pop("tuned")
            for engine, theirs in engines.items():
                if (title, engine) in told:
                    continue
                told.add((title, engine))
                used += ours.values()
                rounds = sorted(ours.keys() & theirs.keys())
                ratios = {stage: [of(ours[r]) / of(theirs[r]) for r in rounds] for stage, of in STAGES.items()}
                step = STAGES["step"]
                lines.append([title, PEERS[engine], figure(statistics.median(map(step, ours.values()))),
                              figure(statistics.median(map(step, theirs.values()))), spread(ratios["step"]), spread(ratios["VAE"]),
                              figure(statistics.median(ratios["end to end"]))])
    head = ["work", "peer", "step, sdbench (s)", "step, peer (s)", "step, ratio", "VAE decode, ratio", "end to end, ratio"]
    return table(head, sorted(lines, key=lambda line: place(line[0])), names, used)


def peers_first():
    names = ["sd15-256", "sd15-512-bf16", "sd15-512-fp32", "sdxl-512-bf16", "sdxl-512-fp32"]
    names.append("sd15-512-bf16-torch-compile")
    return beside_peers([f"2026-11-23-{name}-beside-peers.jsonl" for name in names])


def peers_second():
    return beside_peers(["2026-11-27-second-cpu-engines.jsonl", "2026-11-27-second-cpu-engines-bf16.jsonl",
                         "2026-11-27-second-cpu-engines-sdxl.jsonl"])


def networks_second():
    """A line for each network, task and peer, like for the peers of a step of diffusion."""
    # The first record repeats resnet152, because a program disturbed a round in the second. The compiled peers had one turn.
    names = [f"2026-11-27-second-cpu-networks{part}.jsonl" for part in ("-resnet152", "", "-compiled")]
    of_work = {}
    for name in names:
        for row in rows_of(name):
            rounds = of_work.setdefault((row["model"], row["task"]), {}).setdefault(row["engine"], {})
            rounds.setdefault(row["round"], row)
    lines, used = [], []
    for (model, task), engines in sorted(of_work.items(), key=lambda work: ("train" in work[0], work[0])):
        ours = engines.pop("tuned")
        used += ours.values()
        for engine, theirs in engines.items():
            ratios = [a_step(ours[r]) / a_step(theirs[r]) for r in sorted(ours.keys() & theirs.keys())]
            lines.append([f"{model}, {task}", PEERS[engine], figure(statistics.median(map(a_step, ours.values()))),
                          figure(statistics.median(map(a_step, theirs.values()))), spread(ratios) if len(ratios) > 1 else figure(ratios[0])])
    return table(["work", "peer", "iteration, sdbench (s)", "iteration, peer (s)", "ratio"], lines, names, used)


def asked(row):
    """The differences from the tuned engine's defaults, as options."""
    if row["engine"] == "plain":
        return "`--engine plain`"
    options = [f"--{axis.replace('_', '-')} {row[axis]}" for axis in AXES if row[axis] not in ("auto", "")]
    options += [f"--threads {row['threads']}"] if row["threads"] != 2 else []
    return "`" + " ".join(options) + "`" if options else "tuned"


def by_tuned(rows, dtype):
    """Options -> a step's time divided by the tuned engine's, the mean of the rounds' ratios; for the engine itself: its seconds."""
    times = {}
    for row in rows:
        if row["dtype_unet"] == dtype:
            times.setdefault(asked(row), {})[row["round"]] = row["s_per_it"]
    tuned = times["tuned"]
    ratios = {way: figure(statistics.mean(took[r] / tuned[r] for r in took)) for way, took in times.items()}
    return ratios | {"tuned": figure(statistics.mean(tuned.values())) + " s"}


def axes():
    names = ["2026-11-25-axes-second-cpu.jsonl", "2026-11-23-axes-cpu.jsonl"]
    second, first = map(rows_of, names)
    columns = [by_tuned(rows, dtype) for rows in (second, first) for dtype in ("bf16", "fp32")]
    ways = dict.fromkeys(["tuned", *map(asked, second)])
    head = ["a step", "second: bf16", "fp32", "first: bf16", "fp32"]
    return table(head, [[way, *(column.get(way, "") for column in columns)] for way in ways], names, second + first)


GPU_AXES = {axis: "auto" for axis in ("graphs", "kernels", "memory_format", "attention", "kv_cache", "time_cache", "shared_prefix")} | {
    "cudnn_benchmark": "off"}  # each with its default
H100 = ["2026-11-26-h100-axes.jsonl"]


def asked_of_gpu(row):
    """The differences from the engine's defaults, as options."""
    options = " ".join(f"--{axis.replace('_', '-')} {row[axis]}" for axis, usual in GPU_AXES.items() if row[axis] != usual)
    return "`--engine plain`" if row["engine"] == "plain" else f"`{options}`" if options else "tuned"


def h100():
    """Each work with the engines' defaults."""
    rows = [row for row in rows_of(H100[0]) if asked_of_gpu(row) in ("tuned", "`--engine plain`")]
    lines = [[f"{MODELS[row['model']]}, {row['dtype_unet']}, batch {row['batch']}", row["engine"], figure(1e3 * row["text_s"] / row["batch"]),
              figure(1e3 * row["s_per_it"] / row["batch"]), figure(1e3 * row["vae_s"] / row["batch"]), figure(row["images_per_min"]),
              figure(row["achieved_tflops"]), f"{row['peak_device_allocated_bytes'] / GIB:.2f}"] for row in rows]
    head = ["20 steps", "engine", "text (ms)", "step (ms)", "VAE (ms)", "images a minute", "TFLOP/s of the steps", "peak (GiB)"]
    return table(head, lines, H100, rows)


def axes_h100():
    """A step's time divided by the tuned engine's."""
    rows = [row for row in rows_of(H100[0]) if row["batch"] == 1 and row["dtype_unet"] == "fp16"]
    ways = {}
    for row in rows:
        ways.setdefault(asked_of_gpu(row), {})[row["model"]] = row["s_per_it"]
    tuned = ways["tuned"]
    lines = [[way, *(figure(times[model] / tuned[model]) if model in times else "" for model in MODELS)] for way, times in ways.items() if way != "tuned"]
    lines.insert(0, ["tuned", *(f"{figure(1e3 * tuned[model])} ms" for model in MODELS)])
    return table(["a step, batch 1, fp16", *MODELS.values()], lines, H100, rows)


# Passes over memory that have changed: their names in the H100's lists of kernels, and the operators and own kernels that cause them.
PASSES = {
    "biases and sums": (r"CUDAFunctor_add", r"add|add_|add_bias|conv2d with bias"),
    "group norm": (r"^group_norm_", r"group_norm_.*"),
    "layer norm": (r"layer_norm", r"(add_)?layer_norm(_\d+)?"),
    "upsampling": (r"upsample", r"upsample.*"),
}
LAUNCH_MS = 0.0018  # of a small kernel by CUPTI: its own start and end
COPY_GB_S = 2965    # what a copy reaches on that card
LAUNCHES = "2026-11-30-launches.jsonl"
WORKS = {"sd15 UNet": ("SD 1.5 step", "sd15", 4), "sdxl UNet": ("SDXL step", "sdxl", 4), "sdxl VAE": ("SDXL decoding", "sdxl", 1)}


def listed_ms(model, stage, evaluations):
    """Kind of kernel -> milliseconds of one evaluation on the H100, in the lists' order of stages."""
    text = (RECORDS / f"2026-11-26-h100-kernels-{model}.txt").read_text(encoding="utf-8")
    lines = re.search(rf"^{stage}: .*\n((?: .*\n?)*)", text, re.MULTILINE)[1].splitlines()
    times = dict.fromkeys([*PASSES, "other"], 0.0)
    for line in lines:
        ms, name = re.match(r" *([\d.]+) ms +\d+ (.*)", line).groups()
        kind = next((kind for kind, (listed, _) in PASSES.items() if re.search(listed, name)), "other")
        times[kind] += float(ms) / evaluations
    return times


def launches():
    """What a step or a decoding launches before and after the passes that were removed, beside the H100's times of the former."""
    rows = [json.loads(line) for line in (RECORDS / LAUNCHES).read_text(encoding="utf-8").splitlines()]
    commits = list(dict.fromkeys(row["commit"] for row in rows))
    lines = []
    for work_name, (title, model, evaluations) in WORKS.items():
        listed = listed_ms(model, work_name.split()[1].lower(), evaluations)
        expected = listed["other"]
        for kind, (_, operators) in PASSES.items():
            counts = [[row for row in rows if (row["commit"], row["work"]) == (commit, work_name) and re.fullmatch(operators, row["operator"])]
                      for commit in commits]
            number, megabytes = ([sum(row[figure] for row in of_commit) for of_commit in counts] for figure in ("launches", "bytes"))
            model_ms = [LAUNCH_MS * n + 1e3 * b / COPY_GB_S / 1e9 for n, b in zip(number, megabytes)]
            expected += model_ms[-1]
            if any(number):
                lines.append([title, kind, *(" → ".join(f"{each:,.0f}" for each in both) for both in (number, [b / 1e6 for b in megabytes])),
                              figure(listed[kind]), " → ".join(map(figure, model_ms))])
        total = [[row[figure] for row in rows if (row["commit"], row["work"]) == (commit, work_name)] for figure in ("launches", "bytes") for commit in commits]
        number, megabytes = ([sum(of_commit) for of_commit in total[:2]], [sum(of_commit) / 1e6 for of_commit in total[2:]])
        lines.append([title, "all", *(" → ".join(f"{each:,.0f}" for each in both) for both in (number, megabytes)),
                      figure(sum(listed.values())), f"→ {figure(expected)}"])
    lists = [f"2026-11-26-h100-kernels-{model}.txt" for model in MODELS]
    return table(["work", "kernels", "launches", "MB", "H100 before (ms)", "model (ms)"], lines, [LAUNCHES, *lists])


def cost(names, rows):
    """A line for each model, format and size, with a column for each batch: seconds of a step for one image, by the medians of the rounds, and its
    rate relative to the best one of the same model and format."""
    cells = {}
    for row in rows:
        cells.setdefault(work(row), {}).setdefault(row["batch"], []).append(row)
    rate = {key: {batch: statistics.median(row["achieved_tflops"] for row in found) for batch, found in batches.items()}
            for key, batches in cells.items()}
    best = {}
    for key, batches in rate.items():
        kind = re.sub(r"\d+x\d+", "", key)
        best[kind] = max([best.get(kind, 0), *batches.values()])

    def cell(key, batch):
        if batch not in cells[key]:
            return ""
        share = rate[key][batch] / best[re.sub(r"\d+x\d+", "", key)]
        seconds = statistics.median(row["s_per_it"] / batch for row in cells[key][batch])
        return f"{figure(seconds)} ({share:.2f})"

    batches = (1, 2, 4, 8)
    lines = [[key, *(cell(key, batch) for batch in batches)] for key in sorted(cells, key=place)]
    return table(["s an image (of the best rate)", *(f"batch {batch}" for batch in batches)], lines, names, rows)


def place(key):
    """The order of a table's lines: model, format, size."""
    model, size, dtype = key.split(", ")
    return model, dtype, int(size.split("x")[0])


def cost_first():
    names = ["2026-11-23-cost-cpu.jsonl"]
    rows = [row for row in rows_of(names[0]) if row["dtype_unet"] == "bf16" or row["engine_revision"] == 7]
    return cost(names, rows)


def cost_second():
    """The newest record of each format. What it lacks in bf16 is from the record before."""
    names = ["2026-11-25-cost-second-cpu.jsonl", "2026-11-24-cost-second-cpu.jsonl", "2026-11-25-cost-fp32-second-cpu.jsonl"]
    newer, older, fp32 = map(rows_of, names)
    bf16 = {}
    for row in newer + older:
        if row["dtype_unet"] == "bf16":
            bf16.setdefault((work(row), row["batch"]), row)
    return cost(names, [*bf16.values(), *fp32])


def start():
    names = ["2026-11-25-start-second-cpu.json"]
    seconds = object_of(names[0])["seconds"]
    columns = {"synthetic, at once": "{}, synthetic, at once: load", "synthetic, after a pause": "{}, synthetic, after a pause: load",
               "as much memory, touched": "{}: as much memory, touched", "mapped file, at once": "{}, mapped, at once: load"}
    cells = ["sd15 in bf16", "sd15 in fp32", "sdxl in bf16"]
    lines = [[cell.replace(cell[:4], MODELS[cell[:4]]).replace(" in", ","), *(spread(seconds[column.format(cell)])
                                                                             for column in columns.values())] for cell in cells]
    return table(["load (s)", *columns], lines, names)


def memory():
    names = ["2026-11-25-memory-second-cpu.jsonl", "2026-11-26-memory-estimates.json"]
    rows = rows_of(names[0])
    estimates = {(cell["model"], cell["width"], cell["dtype"]): cell["memory_bytes"] for cell in object_of(names[1])["cells"]}
    lines = []
    for row in rows:
        counted, peak = estimates[row["model"], row["width"], row["dtype_unet"]], row["peak_host_bytes"]
        lines.append([work(row), f"{counted / GIB:.2f}", f"{peak / GIB:.2f}", f"{peak / counted:.2f}"])
    return table(["work", "estimate (GiB)", "peak (GiB)", "peak by estimate"], lines, names, rows)


def busy():
    """Time beside other programs, divided by the same way's quiet time in that record, process by process."""
    names = ["2026-11-26-busy-tiny-sd15.json", "2026-11-26-quiet-450-pairs.json", "2026-11-26-busy-30-processes.json"]
    records = [object_of(name) for name in names]
    lines = []
    for way in records[0]["busy_step_s"]:
        line = [way + " way"]
        for what in ("step", "first_image"):
            ratios = [seconds / statistics.median(record[f"quiet_{what}_s"][way])
                      for record in records for seconds in record[f"busy_{what}_s"][way]]
            line += [figure(statistics.median(ratios), 2), figure(max(ratios), 2), f"{sum(ratio > 4 for ratio in ratios)} of {len(ratios)}"]
        lines.append(line)
    return table(["beside two competitors", "step: median", "worst", "above 4", "first image: median", "worst", "above 4"], lines, names)


def quiet():
    """A step's time in sdbench's way, divided by that in libgomp's, process by process, with nothing else running."""
    names = ["2026-11-26-busy-tiny-sd15.json", "2026-11-26-quiet-450-pairs.json"]
    lines = []
    for name in names:
        seconds = object_of(name)
        ratios = [ours / theirs for ours, theirs in zip(*seconds["quiet_step_s"].values())]
        low, high = busy_machine.median_interval(ratios)
        lines.append([seconds["cell"], str(len(ratios)), f"{statistics.median(ratios):.3f}", f"{low:.3f} to {high:.3f}"])
    return table(["a step on a quiet machine", "pairs", "sdbench's way by libgomp's", "95 %"], lines, names)


DOCUMENTS = {
    ROOT / "docs/performance.md": {"peers-second": peers_second, "networks-second": networks_second, "axes": axes, "start": start,
                                   "memory": memory, "cost": cost_second, "h100": h100,
                                   "axes-h100": axes_h100, "launches": launches},
    RECORDS / "NOTES.md": {"peers-first": peers_first, "cost-first": cost_first, "busy": busy, "quiet": quiet},
}
MARKED = re.compile(r"(<!-- table ([a-z0-9-]+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)


def written(document, tables, text):
    """`text` with every table renewed. Each of `tables` must appear in it once."""
    names = [match[2] for match in MARKED.finditer(text)]
    if sorted(names) != sorted(tables):
        sys.exit(f"{document} must have each of these tables once: {', '.join(sorted(tables))}; but has {', '.join(sorted(names))}")
    return MARKED.sub(lambda match: f"{match[1]}{tables[match[2]]()}\n{match[4]}", text)


def main():
    for document, tables in DOCUMENTS.items():
        text = document.read_text(encoding="utf-8")
        anew = written(document, tables, text)
        if sys.argv[1:] != ["--check"]:
            document.write_text(anew, encoding="utf-8")
        elif anew != text:
            differ = [match[2] for match, now in zip(MARKED.finditer(text), MARKED.finditer(anew)) if match[3] != now[3]]
            sys.exit(f"{document.name}: these tables must be what benchmarks/performance_tables.py writes: {', '.join(differ)}; run it")


if __name__ == "__main__":
    main()
