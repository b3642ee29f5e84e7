// What the hardware allows, and what it costs.

const MOST_ROOF_POINTS = 400;
/** The greatest value of a field in these rows; 0 if none has it. */
const mostOf = (rows, name) => rows.reduce((most, row) => Math.max(most, number(row, name) ?? 0), 0);
/** Points of the roofline. One stands for all rows that repeat one measurement, with their mean. */
function roofPoints(rows, metric) {
  const points = new Map(data.roofline.points.map((point) => [point.row, point]));
  return measurementsOf(rows.filter((row) => points.has(row) && standsAlone(row)), metric)
      .map((line) => ({
             ...points.get(line[0]),
             tflops: meanOf(line, "achieved_tflops"),
             // Products of several formats have no roof among those of one.
             product: mostOf(line, "of_measured_peak_percent") && mostOf(line, "probe_product_tflops"),
             copy: mostOf(line, "probe_copy_gb_s")
           }));
}

/**
 * The roofs that probes measured, by label: [rate of products, TFLOP/s; rate of copies, TB/s; series]. The best probe
 * of a device counts.
 */
function measuredRoofs(points, seriesOf) {
  const roofs = new Map();
  for (const point of points) {
    if (!(point.product > 0)) continue;
    const label = `measured roof of ${text(point.row, "device_name")}, ${point.precision}`;
    const [best, bestCopy] = roofs.get(label) ?? [0, 0];
    roofs.set(label, [Math.max(best, point.product), Math.max(bestCopy, point.copy / 1000), seriesOf(point)]);
  }
  return roofs;
}

/** The corners of a roof between two intensities: it slopes where memory limits, and is level where products do. */
function roofLine(left, right, product, copy) {
  const ridge = copy > 0 ? product / copy : 0;
  const between = ridge > left && ridge < right ? [ridge] : [];
  return [left, ...between, right].map((x) => ({x, y: x < ridge ? copy * x : product}));
}

function drawRoofline(place, rows, metric) {
  const points = roofPoints(rows, metric);
  const leftOut = data.roofline.left_out;
  if (leftOut > 0) {
    place.append(note(
        `${countedAre(leftOut, "good row")} left out: autocast, or an architecture or size that does not come with ` +
        "sdbench, whose bytes cannot be told."));
  }
  if (points.length === 0)
    return place.append(note("No good row has achieved_tflops and an architecture that comes with sdbench."));
  const shown = points.slice(0, MOST_ROOF_POINTS);
  // With more machines than colours, machines of one kind, which have the same peak, share a series.
  const nameOf = new Set(shown.map(({row}) => machineName(row))).size > COLOURS ? baseName : machineName;
  const seriesOf = ({row, precision}) => `${nameOf(row)}, ${precision}`;
  const roofs = new Map();
  for (const point of shown)
    if (point.peak_tflops > 0)
      roofs.set(`peak of ${text(point.row, "device_name")}, ${point.precision}`, [point.peak_tflops, seriesOf(point)]);
  const series = grouped(shown, seriesOf);
  const ends = shown.map((point) => point.flop_per_byte);
  const [left, right] = [ends.reduce((a, b) => Math.min(a, b)) / 2, ends.reduce((a, b) => Math.max(a, b)) * 2];
  const colours = coloursOf(series.map(([point]) => seriesOf(point)));
  const datasets = series.map((members) => {
    const label = seriesOf(members[0]);
    const list = members.map((point) => ({x: point.flop_per_byte, y: point.tflops, row: point.row}));
    return {label, data: list, backgroundColor: colours.get(label), borderColor: colours.get(label), pointRadius: 5};
  });
  for (const [label, [peak, name]] of roofs)
    datasets.push({
      label,
      type: "line",
      data: [{x: left, y: peak}, {x: right, y: peak}],
      borderColor: colours.get(name),
      borderDash: [6, 4],
      pointRadius: 0
    });
  for (const [label, [product, copy, name]] of measuredRoofs(shown, seriesOf))
    datasets.push({
      label,
      type: "line",
      data: roofLine(left, right, product, copy),
      borderColor: colours.get(name),
      pointRadius: 0
    });
  const decade = {ticks: {callback: decadeTick}};
  chartFigure(place, {
    title: "Achieved TFLOP/s against arithmetic intensity",
    help: "Both axes are logarithmic.",
    area: plotHeight(310),
    config: {
      type: "scatter",
      data: {datasets},
      options: {
        scales: {
          x: axis("FLOP a byte, estimated", {type: "logarithmic", min: left, max: right, ...decade}),
          y: axis("TFLOP/s", {type: "logarithmic", ...decade})
        },
        plugins: {
          legend: {display: true},
          tooltip: {
            callbacks: {
              label: (item) =>
                  (item.raw.row === undefined ? item.dataset.label :
                                                `${runName(item.raw.row)}: ${figure(item.raw.y)} TFLOP/s`)
            }
          }
        }
      }
    },
    table: {
      header:
          ["run", "FLOP a byte", "TFLOP/s", "nominal peak, TFLOP/s", "measured peak, TFLOP/s", "measured copy, GB/s"],
      cells: shown.map(
          (point) =>
              [runName(point.row), point.flop_per_byte, point.tflops, point.peak_tflops || null, point.product || null,
               point.copy || null])
    },
  });
  if (points.length > shown.length) place.append(leftOut(points.length - shown.length, "more row"));
}

/** [required fact, title, unit, formula and what it includes, [value, low, high] of a cell, less is better]. */
const moneyKinds = (currency) => [
    [
      "hourly", `Cost of 1,000 images, rented (${currency})`, currency,
      "1,000 ÷ (images/min × 60) × hourly. The hourly price is in it, with all that it includes; kwh_price and price are not.",
      ({rate, low, high}, joules, hourly) => [rate, high, low].map((speed) => speed && (1000 / (speed * 60)) * hourly),
      true
    ],
    [
      "kwh_price", `Cost of 1,000 images, energy alone (${currency})`, currency,
      "1,000 × J/image ÷ 3,600,000 × kwh_price. The energy that the device's sensor counted is in it; the rest of the " +
          "machine, hourly and price are not.",
      (speed, joules, price) => joules.map((energy) => energy && ((1000 * energy) / 3.6e6) * price), true
    ],
    [
      "price", `Images an hour for a unit of its price, bought (images/h/${currency})`, `images/h/${currency}`,
      "images/min × 60 ÷ price. The price of the card is in it; energy and the rest of the machine are not.",
      ({rate, low, high}, joules, price) => [rate, low, high].map((speed) => speed && (speed * 60) / price), false
    ],
    [
      null, "Images a watt-hour", "images/Wh", "3,600 ÷ J/image, of the energy that the device's sensor counted.",
      (speed, [mean, low, high]) => [mean, high, low].map((energy) => energy && 3600 / energy), false
    ]];

/** Energy per image as [J, 95 % from, to], as in `sdbench compare --metric j_per_image`; nulls if no row tells. */
function energyOf(cell) {
  const row = cell.rows.find((row) => data.energy.pool[row] !== null);
  return row === undefined ? [null, null, null] : data.energy.figures[data.energy.pool[row]];
}

const factOf = (card, name) => card.numbers[data.facts.columns.indexOf(name)] ?? null;
const cardOf = (row) => data.facts.cards.find(({devices}) => devices.includes(text(row, "device_name")));

function drawMoney(place, rows) {
  const {columns: names, cards} = data.facts;
  const currency = cards.find((card) => card.currency)?.currency ?? "unit";
  const cells = byWorkload(cellsOf(rows, "images_per_min")).flatMap(bestOfMachines);
  let priced = 0;
  for (const kind of moneyKinds(currency)) priced += drawMoneyChart(place, cells, kind);
  drawPower(place, rows);
  if (cards.length === 0)
    return place.append(note(
        "No prices here: sdbench report --facts FILE.csv, with the columns gpu, price, hourly, kwh_price, " +
        "currency, date and source."));
  if (priced === 0) place.append(note("No price is of a GPU whose rows are shown."));
  const unknown = cards.filter(({devices}) => devices.length === 0).map(({gpu}) => gpu);
  if (unknown.length) place.append(note(`GPUs of the facts that no row has: ${unknown.join(", ")}.`));
  place.append(simpleTable(
      "Facts as they were given", ["gpu", ...names, "currency", "date", "source"],
      cards.map((card) => [card.gpu, ...card.numbers, card.currency, card.date, card.source])));
}

/** Draws one chart. Returns the number of charts drawn that need a fact: 0 or 1. */
function drawMoneyChart(place, cells, [fact, title, unit, formula, valuesOf, lessIsBetter]) {
  const bars = cells
                   .map((cell) => {
                     const card = fact && cardOf(cell.first);
                     const price = card ? factOf(card, fact) : null;
                     const isPriced = !fact || (price !== null && text(cell.first, "parallel_role") !== "sum");
                     const values = isPriced ? valuesOf(cell.speed, energyOf(cell), price) : [null];
                     return {cell, card, price, values};
                   })
                   .filter(({values}) => values[0] !== null && Number.isFinite(values[0]))
                   .sort(
                       (a, b) => a.cell.workload.localeCompare(b.cell.workload) ||
                           (lessIsBetter ? a.values[0] - b.values[0] : b.values[0] - a.values[0]));
  if (bars.length === 0) return 0;
  const colours = coloursOf(bars.map(({cell}) => cell.machine));
  const from = fact === "kwh_price" || !fact ? ["J/image", (cell) => energyOf(cell)[0]] :
                                               ["images/min", (cell) => cell.speed.rate];
  barCharts(place, {
    title,
    help: `${formula} Each machine at its fastest setting; ${
        lessIsBetter ? "shorter is cheaper" : "longer is more"}; whiskers are 95 % intervals.`,
    axisTitle: unit,
    header: ["workload", "machine", "setting", from[0], ...(fact ? [fact, "date"] : []), unit, "95 % from", "to"],
    groups: grouped(bars, ({cell}) => cell.workload)
                .map((members) => ({
                       name: members[0].cell.workload,
                       bars: members.map(({cell, card, price, values: [value, low = null, high = null]}) => ({
                                           name: cell.machine,
                                           value,
                                           low,
                                           high,
                                           text: figure(value),
                                           colour: colours.get(cell.machine),
                                           more: [cell.setting],
                                           cells: [
                                             cell.workload, cell.machine, cell.setting, from[1](cell),
                                             ...(fact ? [price, card.date] : []), value, low, high
                                           ]
                                         }))
                     }))
  });
  return fact ? 1 : 0;
}
