"""Reports on the rows of the first run on a GPU.

    records.py table FOLDER CHARACTERS    the rows of each step's folder in FOLDER, cut so that the table has at most so many
    records.py words FILE FIELD...        these fields of each row, in one line
    records.py label LABEL FIELD FILE     this field of the last row with the label
    records.py statuses LABEL FILE        those of the rows with the label, by the alphabet
    records.py spread LABEL FIELD BOUND FILE    how far a field of the rows with the label is apart; exit code 1 beyond the bound
    records.py axes FILE                  it/s of each model's usual cell, and of each other one by that
    records.py candidates FILE            what each of candidates.py's forms would save, all shapes together
    records.py golden FILE                the largest golden_rel_err of each dtype
    records.py growth FILE FIELD          how a field grew from the first to the last row of each cell; exit code 1 beyond 1 %
"""
import collections
import json
import math
import pathlib
import sys

# Fields that distinguish the rows of a step, if they differ between them.
ASKED = ("engine", "width", "batch", "steps", "attention", "graphs", "kernels", "memory_format", "kv_cache", "time_cache",
         "shared_prefix", "cudnn_benchmark", "tf32", "offload", "vae_tiling", "device", "parallel_role")


def rows_of(file):
    """The rows of a file, which may have been cut off while it was written."""
    rows = []
    for line in pathlib.Path(file).read_text(errors="replace").splitlines() if pathlib.Path(file).exists() else ():
        try:
            rows.append(json.loads(line))
        except ValueError:
            pass
    for row in rows:  # the time between the stages of a run, and the slowest first step
        times = [row.get(name) for name in ("e2e_s", "text_s", "unet_s", "vae_s")]
        row["first_step_s"] = max((sample["step_s"][0] for sample in row.get("samples") or () if sample.get("step_s")), default=None)
        row["between_s"] = times[0] - sum(times[1:]) if None not in times else None
    return rows


def cell_names(rows):
    """Each row's name among the others: its values that are not the usual ones."""
    usual = {name: collections.Counter(row.get(name) for row in rows).most_common(1)[0][0] for name in ASKED if rows}
    unusual = ([f"{name}={row[name]}" for name in usual if row.get(name) not in (None, "", usual[name])] for row in rows)
    return [" ".join([row["model"], row["dtype_unet"], *words] + ([f"({row['label']})"] if row["label"] else []))
            for row, words in zip(rows, unusual)]


def shown(field, value):
    if field.partition("_hz")[1]:
        return f"{value / 1e6:.0f}M"
    return f"{value:.3g}" if isinstance(value, float) else f"{value / 2**30:.2f}Gi" if isinstance(value, int) and value > 2**26 else str(value)


def words(file, *fields):
    rows = rows_of(file)
    cells = (f"{name}: " + " ".join(f"{field} {shown(field, row[field])}" for field in fields if row.get(field) not in (None, ""))
             for name, row in zip(cell_names(rows), rows))
    return "; ".join(dict.fromkeys(cells)) or "no rows"


def axes(file):
    rows = rows_of(file)
    models = collections.defaultdict(dict)
    for row, name in zip(rows, cell_names(rows)):
        models[row["model"]][name.split(" ", 1)[1]] = row["unet_it_s"] or 0
    found = []
    for model, rates in models.items():
        usual = min(rates, key=len)
        others = (f"{name.removeprefix(usual).strip()} {rate / (rates[usual] or 1):.2f}" for name, rate in rates.items() if name != usual)
        found.append(f"{model} {usual} {rates[usual]:.3g} it/s; by that: " + ", ".join(others))
    return "; ".join(found) or "no rows"


def golden(file):
    rows = rows_of(file)
    largest = collections.defaultdict(float)
    for row in rows:
        error = row["golden_rel_err"]  # None: not finite
        largest[row["dtype_unet"]] = max(largest[row["dtype_unet"]], math.inf if error is None else error)
    passed = sum(row["golden_check"] == "pass" for row in rows)
    return f"{passed} of {len(rows)} pass; largest golden_rel_err " + ", ".join(f"{dtype} {error:.2g}" for dtype, error in largest.items())


def candidates(file):
    """The sums of milliseconds, the largest first; forms that save less than 0.05 in each place are only counted."""
    rows = rows_of(file)
    saved = collections.defaultdict(collections.Counter)
    for row in rows:
        for place, ms in row.get("saves_ms", {}).items():
            saved[row["group"], row["form"]][place] += ms
    worth = sorted((form for form, places in saved.items() if max(places.values()) >= 0.05), key=lambda form: -max(saved[form].values()))
    words = ("{}, {}: ".format(*form) + " ".join(f"{place} {ms:+.2f}" for place, ms in saved[form].items()) for form in worth)
    refused = sum("error" in row for row in rows)
    return f"{len(rows)} forms, {refused} not possible, {len(worth)} save 0.05 ms or more: " + "; ".join(words)


def labelled(file, label):
    return [row for row in rows_of(file) if row["label"] == label]


def spread(label, field, bound, file):
    """The difference relative to the largest value. Fewer than two rows, or one without a number, are no comparison."""
    values = [row.get(field) for row in labelled(file, label)]
    if len(values) < 2 or not all(isinstance(value, (int, float)) and math.isfinite(value) for value in values):
        print(f"{field} of {len(values)} rows: {values}")
        return 1
    apart = (max(values) - min(values)) / max(map(abs, values))
    print(f"{field} of {len(values)} rows is at most {apart:.1e} apart ({bound} is right)")
    return int(not apart <= float(bound))


def growth(file, field):
    rows = rows_of(file)
    cells = collections.defaultdict(list)
    for row in rows:
        if row.get(field):
            cells[row["cell_id"]].append(row[field])
    grown = max((values[-1] / values[0] - 1 for values in cells.values()), default=0)
    print(f"{field} of the last round is at most {grown:+.2%} beside the first's ({len(cells)} cells)")
    return int(grown > 0.01)


def last_words(row):
    lines = [line for line in (row.get("error") or "", *(row.get("stderr_tail") or "").splitlines()) if line.strip()]
    return " / ".join(dict.fromkeys((lines[:1] + lines[-1:]) if lines else []))


def used(row, axis):
    """What was used, and why not what was requested."""
    obstacle = row.get(f"{axis}_obstacle") or ""
    return (row.get(f"{axis}_used") or "") + (f" ({obstacle})" if obstacle else "")


HEAD = ("step", "cell", "status", "kernels_used (obstacle)", "attention_used", "graphs_used (obstacle)", "golden_rel_err", "flags", "last words")


def table_lines(folder):
    """A tuple of texts for each row; equal rows are merged."""
    lines = []
    for step in sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir()):
        rows = [row for file in sorted(step.rglob("rows.jsonl")) for row in rows_of(file)]
        for row, name in zip(rows, cell_names(rows)):
            error = row.get("golden_rel_err")
            lines.append((step.name[:3], name, row["status"], used(row, "kernels"), row.get("attention_used") or "", used(row, "graphs"),
                          "" if error is None else f"{error:.2g}", row.get("flags") or "", last_words(row)))
    return [(line[0], line[1] + (f" x{count}" if count > 1 else ""), *line[2:]) for line, count in collections.Counter(lines).items()]


def table(folder, characters):
    lines = table_lines(folder)
    for longest in (200, 100, 60, 40, 30, 24, 18, 12):
        text = "\n".join(" | ".join(word[:longest] for word in line) for line in [HEAD, *lines])
        if len(text) <= characters:
            return text
    return text[:characters] + "\nthe rest is in the archive"


def main():
    what, *arguments = sys.argv[1:]
    if what == "label":
        label, field, file = arguments
        print(next((row.get(field) for row in reversed(rows_of(file)) if row["label"] == label), "no such row"))
    elif what == "statuses":
        print(*sorted(row["status"] for row in labelled(arguments[1], arguments[0])))
    elif what == "spread":
        return spread(*arguments)
    elif what == "growth":
        return growth(*arguments)
    elif what == "table":
        print(table(arguments[0], int(arguments[1])))
    else:
        print({"words": words, "axes": axes, "golden": golden, "candidates": candidates}[what](*arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main())
