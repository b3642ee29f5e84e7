// Charts that compare with something beyond the rows: quality, nominal rates, the roof, money.

const QUALITIES = [["ssim_mean", "SSIM"], ["psnr_db_mean", "PSNR, dB"]];
/** What a setting must share with a row of `sdbench quality` to have its quality: all that makes the picture, and how it was made. */
const qualityKey = (row) => ["variant_id", "model", "width", "height", "steps", "guidance", "scheduler", "weights"].map((name) => text(row, name)).join("|");

/** Rows of `sdbench quality` have no times: they stand beside the speed of the same configuration. */
function drawQuality(place, rows, metric) {
  const qualities = new Map();
  for (const row of rows.filter((candidate) => isGood(candidate) && text(candidate, "quality_reference"))) {
    if (!qualities.has(qualityKey(row))) qualities.set(qualityKey(row), []);
    qualities.get(qualityKey(row)).push(row);
  }
  if (qualities.size === 0) return place.append(note("No row tells a quality: sdbench quality compares with a reference and writes such rows."));
  const points = cellsOf(rows, metric).flatMap((cell) => (qualities.get(qualityKey(cell.first)) ?? []).map((row) => ({ cell, row })));
  if (points.length === 0) return place.append(note("The rows with a quality have no timed runs of the same setting beside them: sdbench run makes them."));
  const groups = [...new Set(points.map(({ cell }) => cell.workload))];
  chooser(place, "Workload ", groups, (choice, spot) => {
    const cards = element("div", { class: "cards wide" });
    spot.append(cards);
    for (const [name, label] of QUALITIES) {
      const shown = points.filter(({ cell, row }) => cell.workload === groups[choice] && number(row, name) !== null);
      if (shown.length === 0) continue;
      scatter(cards, { title: `${label} against speed`, help: "Up is nearer to the reference, to the right is faster.", xTitle: METRICS[metric].label, yTitle: label,
        points: shown.map(({ cell, row }) => ({ name: `${cell.machine}, ${cell.setting}, against ${text(row, "quality_reference")}`, x: cell.speed.rate, y: number(row, name) })) });
    }
  });
  if (points.some(({ cell }) => text(cell.first, "weights").startsWith("synthetic"))) place.append(note("With synthetic weights this compares numerics, not pictures."));
  place.append(note("PSNR is empty where the images are identical."));
}

/** Named points, each with its own colour; `line`: a function of x drawn through them. */
function scatter(spot, { title, help, xTitle, yTitle, points, line, scales, height }) {
  const names = [...new Set(points.map(({ name }) => name))];
  const datasets = names.map((name) => {
    const members = points.filter((point) => point.name === name);
    return { label: name, data: members, backgroundColor: colourOf(name), borderColor: colourOf(name), pointRadius: members[0].left_out ? 8 : 5,
      pointStyle: members[0].left_out ? "crossRot" : "circle" };
  });
  if (line) {
    const end = Math.max(...points.map(({ x }) => x)) * 1.05;
    datasets.push({ label: line.label, type: "line", data: [{ x: 0, y: 0 }, { x: end, y: line.slope * end }], borderColor: themeColour("--ink"), borderDash: [6, 4],
      borderWidth: 1.5, pointRadius: 0, backgroundColor: "transparent" });
  }
  chartFigure(spot, {
    title, help, height: height ?? 320 + 16 * names.length,
    config: { type: "scatter", data: { datasets }, options: { scales: scales ?? { x: axis(xTitle, { beginAtZero: Boolean(line) }), y: axis(yTitle, { beginAtZero: Boolean(line) }) },
      plugins: { legend: { display: true } } } },
    table: { header: ["name", xTitle, yTitle], cells: points.map(({ name, x, y }) => [name, x, y]) },
  });
}

function drawFit(place) {
  if (!data.fits.some(({ published }) => !published)) {
    place.append(note("Own rows give no line: it takes good rows of one workload from two GPUs or more, with compute capability, SMs and a clock in them (NVML tells it)."));
  }
  if (data.fits.length === 0) return;
  place.append(note("1/time against the nominal rate, fitted through the origin. Nominal FP32: 2 × lanes × SMs × clock, with the highest SM clock that any row of the GPU saw, for a " +
    "record has no maker's clock. FP16 matrices: the tensor cores' rate, summing in fp16. R² is uncentred, as it must be for a line through the origin: 1 − Σ(y − slope·x)² / Σy². " +
    "The filter does not change these fits."));
  chooser(place, "Work ", data.fits.map((fit) => `${fit.published ? "published (egpu-2022, batch 16): " : ""}${fit.group}${fit.published ? "" : `, by ${fit.peak}`}`), (choice, spot) => {
    const fit = data.fits[choice];
    scatter(spot, { title: `${fit.group}: R² = ${fit.r_squared.toFixed(3)}`, help: `slope ${figure(fit.slope)} ${fit.unit} for each TFLOP/s. ${fit.note}`, xTitle: `nominal ${fit.peak}, TFLOP/s`,
      yTitle: fit.unit, line: { slope: fit.slope, label: "fit" },
      points: fit.points.map((point) => ({ name: point.name + (point.left_out ? " (left out)" : ""), x: point.nominal_tflops, y: point.per_s, left_out: point.left_out })) });
    if (fit.published) spot.append(note("Measured by others, with other software: never mixed with the rows here."));
  });
}

const MOST_ROOF_POINTS = 400;
function drawRoofline(place, rows) {
  const wanted = new Set(rows);
  const points = data.roofline.points.filter(({ row }) => wanted.has(row) && standsAlone(row));
  place.append(note("Across: nominal FLOPs of one it by the bytes that it must move at least: the UNet's weights once, and of each convolution, linear layer and attention its inputs once and " +
    "its result once, in the UNet's dtype, for all images of the batch (twice with guidance); norms, activations and additions are taken to ride along. It is an estimate from the architecture, not a measurement; " +
    "what really moves is more. Up: nominal FLOPs by measured time. Dashed: the device's nominal peak for the dtype. The sloping roof of memory bandwidth is left out: a record does not tell the bandwidth."));
  if (data.roofline.left_out > 0) place.append(note(`${data.roofline.left_out} good rows are left out: autocast, or an architecture that does not come with sdbench, whose bytes cannot be told.`));
  if (points.length === 0) return place.append(note("No good row has achieved_tflops and an architecture that comes with sdbench."));
  const shown = points.slice(0, MOST_ROOF_POINTS);
  const roofs = new Map();
  for (const { row, peak_tflops: peak } of shown) if (peak > 0) roofs.set(`peak of ${text(row, "device_name")}, ${text(row, "dtype_unet")}`, peak);
  const series = new Map();
  for (const point of shown) {
    const name = `${machineName(point.row)}, ${text(point.row, "dtype_unet")}`;
    if (!series.has(name)) series.set(name, []);
    series.get(name).push({ x: point.flop_per_byte, y: number(point.row, "achieved_tflops"), row: point.row });
  }
  const ends = shown.map((point) => point.flop_per_byte);
  const [left, right] = [ends.reduce((a, b) => Math.min(a, b)) / 2, ends.reduce((a, b) => Math.max(a, b)) * 2];
  const datasets = [...series].map(([label, list]) => ({ label, data: list, backgroundColor: colourOf(label), borderColor: colourOf(label), pointRadius: 5 }));
  for (const [label, peak] of roofs) datasets.push({ label, type: "line", data: [{ x: left, y: peak }, { x: right, y: peak }], borderColor: colourOf(label), borderDash: [6, 4], pointRadius: 0 });
  const decade = { ticks: { callback: decadeTick } };
  chartFigure(place, {
    title: "Achieved TFLOP/s against arithmetic intensity", help: "Both axes are logarithmic.", height: 360 + 16 * datasets.length,
    config: { type: "scatter", data: { datasets }, options: { scales: { x: axis("FLOP a byte, estimated", { type: "logarithmic", min: left, max: right, ...decade }), y: axis("TFLOP/s", { type: "logarithmic", ...decade }) },
      plugins: { legend: { display: true }, tooltip: { callbacks: { label: (item) => (item.raw.row === undefined ? item.dataset.label : `${runName(item.raw.row)}: ${figure(item.raw.y)} TFLOP/s`) } } } } },
    table: { header: ["run", "FLOP a byte", "TFLOP/s", "peak, TFLOP/s"], cells: shown.map((point) => [runName(point.row), point.flop_per_byte, number(point.row, "achieved_tflops"), point.peak_tflops || null]) },
  });
  if (points.length > shown.length) place.append(note(`${points.length - shown.length} more rows are left out of the chart; use the filter.`));
}

function drawMoney(place, rows) {
  if (data.prices.length === 0) return place.append(note("No prices here: sdbench report --prices FILE.csv, with the columns gpu, price, currency and hourly."));
  const unknown = data.prices.filter((price) => price.devices.length === 0).map((price) => price.gpu);
  const cells = cellsOf(rows, "images_per_min");
  const kinds = [["hourly", "Images for a unit of money, rented by the hour", (currency) => `images/${currency}`, (cell, price) => (cell.speed.rate * 60) / price.hourly],
    ["price", "Images an hour for a unit of its price, bought", (currency) => `images/h/${currency}`, (cell, price) => (cell.speed.rate * 60) / price.price]];
  let drawn = 0;
  for (const [field, title, unitOf, valueOf] of kinds) {
    for (const currency of [...new Set(data.prices.map((price) => price.currency))]) {
      const prices = data.prices.filter((price) => price[field] !== null && price.currency === currency);
      const priced = byWorkload(cells).flatMap(bestOfMachines)
        .flatMap((cell) => prices.filter((price) => price.devices.includes(text(cell.first, "device_name"))).map((price) => ({ cell, value: valueOf(cell, price), price })))
        .filter(({ cell }) => text(cell.first, "parallel_role") !== "sum");
      if (priced.length === 0) continue;
      ++drawn;
      const shown = priced.sort((a, b) => a.cell.workload.localeCompare(b.cell.workload) || b.value - a.value).slice(0, 40);
      const unit = unitOf(currency || "unit");
      chartFigure(place, {
        title: `${title} (${unit})`, help: "Each machine at its fastest setting, busy all the time; power is not in it.", height: 110 + 40 * shown.length,
        config: { type: "bar", data: { labels: shown.map(({ cell }) => lines(cell.machine, cell.workload)),
          datasets: [{ label: unit, data: shown.map(({ value }) => value), backgroundColor: shown.map(({ cell }) => colourOf(cell.machine)) }] },
        options: { indexAxis: "y", scales: { x: axis(unit, { beginAtZero: true }), y: axis("", { ticks: { autoSkip: false } }) } } },
        table: { header: ["workload", "machine", "setting", "images/min", `price, ${currency}`, unit], cells: shown.map(({ cell, value, price }) => [cell.workload, cell.machine, cell.setting, cell.speed.rate, price[field], value]) },
      });
    }
  }
  if (drawn === 0) place.append(note("No price is of a GPU whose rows are shown."));
  if (unknown.length) place.append(note(`Prices of GPUs that no row has: ${unknown.join(", ")}.`));
}
