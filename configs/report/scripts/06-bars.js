// Speed by machine, grouped by model and size; curves over the batch size; stages.

/** The text of a bar, without the unit of the axis. Only s/it keeps its unit, because the axis has a different one. */
function barText(rate, metric, best) {
  const words = speed(rate, metric, best);
  return words.endsWith(" s/it") ? words : figure(rate);
}

/** Names of the figures shown beside the speed of cells: the other important ones of their tasks. */
const figuresBeside = (cells, metric) => [...new Set(cells.flatMap((cell) => taskOf(cell.first).figures))].filter(
    (name) => name !== metric && cells.some((cell) => figureOf(cell.rows, name) !== null));

/** A cell's bar. `nameOf` tells the bars of one workload apart; `best` is the fastest of them. */
function barOf(cell, best, metric, nameOf, colours, beside) {
  const {rate, low, high, count} = cell.speed;
  return {
    name: nameOf(cell),
    value: rate,
    low,
    high,
    text: barText(rate, metric, best.speed.rate),
    colour: colours.get(nameOf(cell)),
    more: [cell.setting, ...otherFigures(cell, metric), ...cell.flags],
    cells: [
      cell.workload, cell.machine, cell.setting, rate, low, high, count,
      ...beside.map((name) => figureOf(cell.rows, name)), cell.flags.join(" ")
    ]
  };
}

function drawBars(place, rows, metric) {
  const groups = byWorkload(cellsOf(rows, metric)).sort((a, b) => a[0].workload.localeCompare(b[0].workload, "en", {
    numeric: true
  }));
  if (groups.length === 0) return place.append(note("No good row has this speed."));
  chooser(place, "Show ", ["each machine at its fastest setting", "every setting"], (choice, spot) => {
    const shown = groups.map((cells) => (choice === 0 ? bestOfMachines(cells) : cells));
    const nameOf = (cell) => (choice === 0 ? cell.machine : ownName(cell));
    const colours = coloursOf(shown.flat().map(nameOf));
    const {label} = data.metrics[metric];
    const beside = figuresBeside(shown.flat(), metric);
    barCharts(spot, {
      title: label,
      help: "Whiskers are 95 % intervals; longer is faster.",
      axisTitle: label,
      header: ["workload", "machine", "setting", label, "95 % from", "to", "rows", ...beside.map(columnLabel), "flags"],
      groups: shown.map((cells) => ({
                          name: cells[0].workload,
                          bars: cells.map((cell) => barOf(cell, cells[0], metric, nameOf, colours, beside))
                        }))
    });
  }, groups.some((cells) => bestOfMachines(cells).length > 1) ? 0 : 1);  // bars of one machine differ in their settings
}

/** Peak memory of the row with the most, in GiB: of the device, or of the worker for a CPU. */
function peakMemory(cell) {
  for (const name of ["peak_device_allocated_bytes", "peak_host_bytes"]) {
    const bytes = cell.rows.map((row) => number(row, name)).filter((value) => value !== null);
    if (bytes.length) return Math.max(...bytes) / 2 ** 30;
  }
  return null;
}

const MOST_CURVES = COLOURS;  // each has its own colour and shape
/** Curves as [name, cells], the one with the highest speed first. */
function fastestFirst(curves) {
  const best = new Map(curves.map(([name, cells]) => [name, Math.max(...cells.map(({speed}) => speed.rate))]));
  return [...curves].sort(([a], [b]) => best.get(b) - best.get(a));
}
/** The note on curves that a chart does not draw. Its table has all of them. */
const curvesLeftOut = (count) => note(`Of ${count} curves the ${
    MOST_CURVES} that reach the most images/min are drawn; the tables below the charts have all, and the filter draws others.`);

const batchOf = ({first}) => number(first, "batch");
/** The fastest of the cells at each place of a curve. */
const fastestAt = (cells, placeOf) =>
    grouped(cells, placeOf)
        .map((there) => there.reduce((best, cell) => (best.speed.rate < cell.speed.rate ? cell : best)));

/** Curves over the batch size: for each work, one per machine and setting, the fastest first. */
function batchCurves(rows) {
  const sizeOf = (cell) => {
    const {what, more} = workOf(cell.first);
    return [...what, ...more].join(", ");
  };
  const curveOf = (cells) => [ownName(cells[0]), fastestAt(cells, batchOf).sort((a, b) => batchOf(a) - batchOf(b))];
  const curvesOf = (cells) => grouped(cells, ownName).map(curveOf).filter(([, points]) => points.length > 1);
  return grouped(cellsOf(rows, "images_per_min"), sizeOf)
      .map((cells) => [sizeOf(cells[0]), fastestFirst(curvesOf(cells))])
      .filter(([, curves]) => curves.length > 0);
}

function drawBatch(place, rows) {
  const sizes = batchCurves(rows);
  if (sizes.length === 0)
    return place.append(
        note("No machine has rows of one setting at several batch sizes: sdbench --batch 1,2,4,8 makes them."));
  chooser(place, "Work ", sizes.map(([size]) => size), (choice, spot) => {
    const [size, curves] = sizes[choice];
    const cards = element("div", {class: "cards wide"});
    spot.append(cards);
    const draw = (title, unit, valuesOf, more = {}) => drawCurves(cards, {
      title: `${title}: ${size}`,
      unit,
      curves,
      xOf: batchOf,
      valuesOf,
      xAxis: axis("batch size", {type: "linear", offset: true, ticks: {precision: 0}}),
      marksOf: () => ({pointRadius: 5}),
      header: ["machine and setting", "batch", unit],
      lineOf: (cell) => valuesOf(cell).slice(0, 1),
      ...more
    });
    draw("Images per minute", "images/min", ratesOf, {help: "Whiskers are 95 % intervals."});
    draw("Peak memory", "GiB", (cell) => [peakMemory(cell)]);
    draw("Energy of an image", "J/image", (cell) => [meanOf(cell.rows, "j_per_image")]);
    if (curves.length > MOST_CURVES) spot.append(curvesLeftOut(curves.length));
  });
}

const ratesOf = ({speed}) => [speed.rate, speed.low, speed.high];
/**
 * Draws curves as [name, cells, …]. `valuesOf` a cell: [value, 95 % from, to], or the value alone; `marksOf` a curve:
 * more of its dataset; `lineOf` a cell: its figures in the table under `header`, behind name and x.
 */
function drawCurves(place, {title, help = "", unit, curves, xOf, valuesOf, xAxis, marksOf, header, lineOf}) {
  const told =
      curves.map(([name, cells, ...more]) => [name, cells.filter((cell) => valuesOf(cell)[0] !== null), ...more])
          .filter(([, cells]) => cells.length > 1);
  if (told.length === 0) return;  // single points are not curves
  const drawn = told.slice(0, MOST_CURVES);
  // Marks are the same in all charts of a section, unless it has more curves than there are marks.
  const names = (curves.length > MOST_CURVES ? drawn : curves).map(([name]) => name);
  const colours = coloursOf(names);
  const values = drawn.flatMap(([, cells]) => cells.map(valuesOf));
  const hasIntervals = values[0].length > 1;
  chartFigure(place, {
    title,
    help,
    area: plotHeight(220),
    config: {
      type: "line",
      data: {
        datasets: drawn.map((curve) => {
          const [name, cells] = curve;
          const mark = names.indexOf(name);
          return {
            label: name,
            borderColor: colours.get(name),
            backgroundColor: colours.get(name),
            borderDash: DASHES[mark % DASHES.length],
            pointStyle: SHAPES[mark],
            data: cells.map((cell) => ({x: xOf(cell), y: valuesOf(cell)[0]})),
            intervals: hasIntervals ? cells.map((cell) => valuesOf(cell).slice(1)) : undefined,
            ...marksOf(curve, SHAPES[mark])
          };
        })
      },
      options: {
        scales: {
          x: xAxis,
          y: axis(unit, {
            beginAtZero: true,
            suggestedMax: hasIntervals ? reachOf(values.map(([rate, , high]) => ({rate, high}))) : undefined
          })
        },
        plugins: {legend: {display: true}}
      }
    },
    table:
        {header, cells: told.flatMap((curve) => curve[1].map((cell) => [curve[0], xOf(cell), ...lineOf(cell, curve)]))},
  });
}

const STAGE_WORDS = {
  text: "text encoder",
  unet: "UNet",
  vae: "VAE"
};
const STAGE_COLOURS = ["--s1", "--s2", "--s3", "--s4", "--s5"];  // of different lightness, for print in grey
const rawParts = new Map(data.steps.map(({row, parts}) => [row, parts]));
/** Seconds of a part of a run, from the record's field, else from the raw times. */
function secondsOfPart(cell, part) {
  const field = meanOf(cell.rows, `${part}_s`);
  if (field !== null) return field;
  const raw = cell.rows.map((row) => rawParts.get(row)?.[part]).filter((seconds) => seconds !== undefined);
  return raw.length ? raw.reduce((a, b) => a + b, 0) / raw.length : null;
}
/** The parts of a run that are known for the cell. */
const partsOf = (cell) => taskOf(cell.first).parts.filter((part) => secondsOfPart(cell, part) !== null);
const MOST_STACKS = 24;
function drawStages(place, rows) {
  const groups = byWorkload(cellsOf(rows, "images_per_min").filter((cell) => partsOf(cell).length > 0))
                     .sort((a, b) => b.length - a.length);
  if (groups.length === 0) return place.append(note("No good row tells the times of its stages."));
  chooser(place, "Workload ", groups.map(([cell]) => cell.workload), (choice, spot) => {
    const cells = groups[choice];
    drawStacks(spot, cells.slice(0, MOST_STACKS));
    if (cells.length > MOST_STACKS) spot.append(leftOut(cells.length - MOST_STACKS, "more setting"));
  });
}

function drawStacks(spot, shown) {
  const perImage = (cell, seconds) => (seconds ?? 0) / (number(cell.first, "images") || 1);
  const stages = taskOf(shown[0].first).parts.filter((part) => shown.some((cell) => partsOf(cell).includes(part)));
  const ofPart = (cell, part) => perImage(cell, secondsOfPart(cell, part));
  const rest = (cell) => Math.max(
      0, perImage(cell, meanOf(cell.rows, "e2e_s")) - stages.reduce((sum, part) => sum + ofPart(cell, part), 0));
  const parts = [
    ...stages.map(
        (part, i) => [STAGE_WORDS[part] ?? part.replaceAll("_", " "), (cell) => ofPart(cell, part), STAGE_COLOURS[i]]),
    ["between the stages", rest, "--ink"]
  ];
  const total = (cell) => parts.reduce((sum, [, valueOf]) => sum + valueOf(cell), 0);
  const labels = shown.map(ownLines);
  chartFigure(spot, {
    title: `Seconds for an image: ${shown[0].workload}`,
    help: "The fastest first. Between the stages: copies and waiting; with --offload weights that change places, too.",
    area: barHeight(labels) * shown.length,
    config: {
      type: "bar",
      data: {
        labels,
        datasets: parts.map(([label, valueOf, colour], i) => ({
                              label,
                              backgroundColor: themeColour(colour),
                              borderColor: themeColour("--card"),
                              borderWidth: {right: 1},
                              data: shown.map(valueOf),
                              texts: shown.map((cell) => `${label} ${timeWords(valueOf(cell))}`),
                              ends: i === parts.length - 1 ? shown.map((cell) => timeWords(total(cell))) : undefined,
                              maxBarThickness: 26
                            }))
      },
      options: {
        indexAxis: "y",
        scales: {
          x: axis("s", {stacked: true}),
          y: axis("", {stacked: true, ticks: {autoSkip: false, color: themeColour("--ink")}})
        }
      }
    },
    table: {
      header: ["machine", "setting", ...parts.map(([label]) => `${label}, s`)],
      cells: shown.map((cell) => [cell.machine, cell.setting, ...parts.map(([, valueOf]) => valueOf(cell))])
    },
  });
}
