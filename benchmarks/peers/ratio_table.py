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
    """sdbench's time by a peer's, of each round that has both; a first round with both there always is."""
    return [STAGES[stage](ours[place]) / STAGES[stage](theirs[place]) for place in ours if place in theirs]


def table(title, names, rounds):
    """Markdown. `names`: what each participant's line is called; `rounds`: see Rounds."""
    lines = [f"**{title}**", "", "| | " + " | ".join(f"{stage} (s)" for stage in STAGES) + " | " +
             " | ".join(f"sdbench / it: {stage}" for stage in STAGES) + " | differs: latents, pixels |",
             "|---|" + "---:|" * (2 * len(STAGES)) + "---|"]
    for name, rows in rounds.rows.items():
        times = [spread([of(row) for row in rows.values()]) for of in STAGES.values()]
        agreement = rounds.agreements.get(name)
        compared = ["–" if agreement else ""] * len(STAGES)
        if agreement and agreement.holds:
            compared = [spread(ratios(rounds.rows["sdbench"], rows, stage)) for stage in STAGES]
        lines.append("| " + " | ".join([names[name], *times, *compared, str(agreement or "")]) + " |")
    ours, *_ = rounds.rows["sdbench"].values()
    for name, rows in rounds.rows.items():
        theirs, *_ = rows.values()
        if theirs["dtype_vae"] != ours["dtype_vae"]:
            lines.append(f"\n{name}: its VAE computes in {theirs['dtype_vae']}, sdbench's in {ours['dtype_vae']}")
    return "\n".join(lines + [f"\n{name}: {words}" for name, words in rounds.failures.items()])
