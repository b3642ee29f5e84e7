// Speed against the quality that it costs, and against a GPU's nominal rate or a different fact about it.

const QUALITIES = [["ssim_mean", "SSIM"], ["psnr_db_mean", "PSNR, dB"]];

/**
 * Rows of `sdbench quality` have no times. They are shown against the speed of rows that made the same picture in the
 * same way, as `sdbench compare` finds them (src/front/compare/studies.cpp).
 */
function drawQuality(place, rows, metric) {
  if (!allRows.some((row) => isGood(row) && text(row, "quality_reference")))
    return place.append(
        note("No row tells a quality: sdbench quality compares with a reference and writes such rows."));
  const points = cellsOf(rows, metric).flatMap((cell) => (data.quality[cell.first] ?? []).map((row) => ({cell, row})));
  if (points.length === 0)
    return place.append(note(
        "The rows with a quality have no timed runs of the same picture, setting and machine beside them: sdbench run " +
        "makes them."));
  const groups = [...new Set(points.map(({cell}) => cell.workload))];
  chooser(place, "Workload ", groups, (choice, spot) => {
    const cards = element("div", {class: "cards wide"});
    spot.append(cards);
    for (const [name, label] of QUALITIES) {
      const shown = points.filter(({cell, row}) => cell.workload === groups[choice] && number(row, name) !== null);
      if (shown.length === 0) continue;
      scatter(cards, {
        title: `${label} against speed`,
        help: "Up is nearer to the reference, to the right is faster.",
        xTitle: data.metrics[metric].label,
        yTitle: label,
        yAxis: name === "ssim_mean" ? {max: 1, suggestedMin: 0.99} : {},
        points: shown.map(({cell, row}) => ({
                            name: `${cell.machine}, ${cell.setting}, against ${text(row, "quality_reference")}`,
                            x: cell.speed.rate,
                            y: number(row, name)
                          }))
      });
    }
  });
  if (points.some(({cell}) => text(cell.first, "weights").startsWith("synthetic")))
    place.append(note("With synthetic weights this compares numerics, not pictures."));
  if (points.some(({row}) => number(row, "psnr_db_mean") === null))
    place.append(note("Identical images have an infinite PSNR, which is left out."));
}

/** Draws named points, each with its own colour. `line` is a function of x that is drawn through them. */
function scatter(spot, {title, help, xTitle, yTitle, points, line, yAxis}) {
  const names = [...new Set(points.map(({name}) => name))];
  const colours = coloursOf(names);
  const datasets = names.map((name) => {
    const members = points.filter((point) => point.name === name);
    return {
      label: name,
      data: members,
      backgroundColor: colours.get(name),
      borderColor: colours.get(name),
      pointRadius: members[0].beside ? 8 : 5,
      pointStyle: members[0].beside ? "rectRot" : undefined
    };
  });
  if (line) {
    const end = Math.max(...points.map(({x}) => x)) * 1.05;
    datasets.push({
      label: line.label,
      type: "line",
      data: [{x: 0, y: 0}, {x: end, y: line.slope * end}],
      borderColor: themeColour("--ink"),
      borderDash: [6, 4],
      borderWidth: 1.5,
      pointRadius: 0,
      backgroundColor: "transparent"
    });
  }
  chartFigure(spot, {
    title,
    help,
    area: plotHeight(270),
    config: {
      type: "scatter",
      data: {datasets},
      options: {
        scales:
            {x: axis(xTitle, {beginAtZero: Boolean(line)}), y: axis(yTitle, {beginAtZero: Boolean(line), ...yAxis})},
        plugins: {legend: {display: true}}
      }
    },
    table: {header: ["name", xTitle, yTitle], cells: points.map(({name, x, y}) => [name, x, y])},
  });
}

function drawFit(place) {
  const over = ["", ...data.facts.columns.filter((fact) => data.fits.some((fit) => fit.fact === fact))];
  chooser(
      place, "Against ", over.map((fact) => fact || "nominal rate"),
      (choice, spot) => drawFitsOver(spot, over[choice]));
}

/** Draws speed against a fact of the cards or, without a name, against their nominal rates. */
function drawFitsOver(place, fact) {
  const fits = data.fits.filter((fit) => fit.fact === fact);
  if (!fits.some(({published}) => !published)) {
    place.append(note(
        "Own rows give no line: that takes good rows of one workload from two GPUs or more, with " +
        (fact ? "this fact." : "compute capability, SMs and a clock in them (NVML tells it).")));
  }
  if (fits.length === 0) return;
  chooser(
      place, "Work ",
      fits.map(
          (fit) => `${fit.published ? "published (egpu-2022, batch 16): " : ""}${fit.group}${
              fit.published || fact ? "" : `, by ${fit.peak}`}`),
      (choice, spot) => {
        const fit = fits[choice];
        const whose = fit.published ? "measured here" : "published";
        const pointOf = (point, name, beside) => ({name, x: point.x, y: point.per_s, beside});
        scatter(spot, {
          title: `${fit.group}: R² = ${fit.r_squared.toFixed(3)}`,
          help: `slope ${figure(fit.slope)} ${fit.unit} for each ${fact ? `1 of ${fact}` : "TFLOP/s"}, intercept 0.`,
          xTitle: fact || `nominal ${fit.peak}, TFLOP/s`,
          yTitle: fit.unit,
          line: {slope: fit.slope, label: "fit"},
          points: [
            ...fit.points.map((point) => pointOf(point, point.name, false)),
            ...fit.beside.map((point) => pointOf(point, `${point.name} (${whose})`, true))
          ]
        });
        if (fit.published)
          spot.append(
              note("The line is of figures measured by others, with other software: no row here is a part of it."));
        if (fit.beside.length > 0)
          spot.append(
              note(`Diamonds (${whose}) stand beside the line: they are the same work, and no part of the fit.`));
      });
}
