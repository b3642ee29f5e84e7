"""The table of a comparison: what each participant took, and sdbench's time by each peer's, round by round."""
import statistics

STAGES = {"step": lambda row: statistics.median(step for run in row["samples"] for step in run["step_s"]),
          "VAE decode": lambda row: statistics.median(run["vae_s"] for run in row["samples"]),
          "end to end": lambda row: statistics.median(run["e2e_s"] for run in row["samples"])}


def spread(values):
    """"5.43 (5.40..5.61)": the median of the rounds, the least and the greatest."""
    middle = f"{statistics.median(values):.3g}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.3g}..{max(values):.3g})"


def ratios(ours, theirs, stage):
    """sdbench's time by a peer's, of each round that has both. `ours` and `theirs`: rows by round."""
    return [STAGES[stage](ours[place]) / STAGES[stage](theirs[place]) for place in ours if place in theirs]


def table(title, ours, peers):
    """Markdown. `ours`: (words, rows by round) of sdbench; `peers`: (words, rows by round, agreement or None) of each."""
    lines = [f"**{title}**", "", "| | " + " | ".join(f"{stage} (s)" for stage in STAGES) + " | " +
             " | ".join(f"sdbench / it: {stage}" for stage in STAGES) + " | differs: latents, pixels |",
             "|---|" + "---:|" * (2 * len(STAGES)) + "---|"]

    def line(words, rows, theirs, agreement):
        times = [spread([of(row) for row in rows.values()]) for of in STAGES.values()]
        lines.append("| " + " | ".join([words, *times, *theirs, agreement]) + " |")

    line(ours[0], ours[1], [""] * len(STAGES), "")
    for words, rows, agreement in peers:
        compared = [spread(found) if agreement and agreement.holds and (found := ratios(ours[1], rows, stage)) else "–"
                    for stage in STAGES]
        line(words, rows, compared, str(agreement or "not known"))
    return "\n".join(lines)
