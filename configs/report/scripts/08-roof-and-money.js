// What the hardware allows, and what it costs.

const MOST_ROOF_POINTS = 400;
/** Of rows that repeat one measurement the first stands for all, with their mean. */
function roofPoints(rows, metric) {
  const points = new Map(data.roofline.points.map((point) => [point.row, point]));
  return measurementsOf(rows.filter((row) => points.has(row) && standsAlone(row)), metric)
      .map((line) => ({...points.get(line[0]), tflops: meanOf(line, "achieved_tflops")}));
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
  const seriesOf = ({row, precision}) => `${machineName(row)}, ${precision}`;
  const roofs = new Map();
  for (const point of shown)
    if (point.peak_tflops > 0)
      roofs.set(`peak of ${text(point.row, "device_name")}, ${point.precision}`, [point.peak_tflops, seriesOf(point)]);
  const series = new Map();
  for (const point of shown) {
    const name = seriesOf(point);
    if (!series.has(name)) series.set(name, []);
    series.get(name).push({x: point.flop_per_byte, y: point.tflops, row: point.row});
  }
  const ends = shown.map((point) => point.flop_per_byte);
  const [left, right] = [ends.reduce((a, b) => Math.min(a, b)) / 2, ends.reduce((a, b) => Math.max(a, b)) * 2];
  const colours = coloursOf([...series.keys()]);
  const datasets = [...series].map(
      ([label, list]) =>
          ({label, data: list, backgroundColor: colours.get(label), borderColor: colours.get(label), pointRadius: 5}));
  for (const [label, [peak, name]] of roofs)
    datasets.push({
      label,
      type: "line",
      data: [{x: left, y: peak}, {x: right, y: peak}],
      borderColor: colours.get(name),
      borderDash: [6, 4],
      pointRadius: 0
    });
  const decade = {ticks: {callback: decadeTick}};
  chartFigure(place, {
    title: "Achieved TFLOP/s against arithmetic intensity",
    help: "Both axes are logarithmic.",
    height: 360,
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
      header: ["run", "FLOP a byte", "TFLOP/s", "peak, TFLOP/s"],
      cells: shown.map((point) => [runName(point.row), point.flop_per_byte, point.tflops, point.peak_tflops || null])
    },
  });
  if (points.length > shown.length)
    place.append(
        note(`${countedAre(points.length - shown.length, "more row")} left out of the chart; use the filter.`));
}

function drawMoney(place, rows) {
  if (data.prices.length === 0)
    return place.append(
        note("No prices here: sdbench report --prices FILE.csv, with the columns gpu, price, currency and hourly."));
  const unknown = data.prices.filter((price) => price.devices.length === 0).map((price) => price.gpu);
  const cells = cellsOf(rows, "images_per_min");
  const kinds = [
    [
      "hourly", "Images for a unit of money, rented by the hour", (currency) => `images/${currency}`,
      (cell, price) => (cell.speed.rate * 60) / price.hourly
    ],
    [
      "price", "Images an hour for a unit of its price, bought", (currency) => `images/h/${currency}`,
      (cell, price) => (cell.speed.rate * 60) / price.price
    ]
  ];
  let drawn = 0;
  for (const [field, title, unitOf, valueOf] of kinds) {
    for (const currency of [...new Set(data.prices.map((price) => price.currency))]) {
      const prices = data.prices.filter((price) => price[field] !== null && price.currency === currency);
      const priced = byWorkload(cells)
                         .flatMap(bestOfMachines)
                         .flatMap(
                             (cell) => prices.filter((price) => price.devices.includes(text(cell.first, "device_name")))
                                           .map((price) => ({cell, value: valueOf(cell, price), price})))
                         .filter(({cell}) => text(cell.first, "parallel_role") !== "sum");
      if (priced.length === 0) continue;
      ++drawn;
      const shown =
          priced.sort((a, b) => a.cell.workload.localeCompare(b.cell.workload) || b.value - a.value).slice(0, 40);
      const unit = unitOf(currency || "unit");
      const colours = coloursOf(shown.map(({cell}) => cell.machine));
      chartFigure(place, {
        title: `${title} (${unit})`,
        help: "Each machine at its fastest setting, busy all the time; power is not in it.",
        height: 110 + 40 * shown.length,
        config: {
          type: "bar",
          data: {
            labels: shown.map(({cell}) => lines(cell.machine, cell.workload)),
            datasets: [{
              label: unit,
              data: shown.map(({value}) => value),
              backgroundColor: shown.map(({cell}) => colours.get(cell.machine))
            }]
          },
          options:
              {indexAxis: "y", scales: {x: axis(unit, {beginAtZero: true}), y: axis("", {ticks: {autoSkip: false}})}}
        },
        table: {
          header: ["workload", "machine", "setting", "images/min", `price, ${currency}`, unit],
          cells:
              shown.map(({cell,
                          value,
                          price}) => [cell.workload, cell.machine, cell.setting, cell.speed.rate, price[field], value])
        },
      });
    }
  }
  if (drawn === 0) place.append(note("No price is of a GPU whose rows are shown."));
  if (unknown.length) place.append(note(`Prices of GPUs that no row has: ${unknown.join(", ")}.`));
}
