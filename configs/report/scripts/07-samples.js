// Raw samples: the steps of runs, and the sensors over time.
const MOST_STRIPS = 24;
const MOST_ORDERS = 8;  // one per distinct shape

/** " (interrupted)" or the like for a row whose steps are not those of whole runs; else "". */
function endMark(row) {
  if (!isGood(row)) return ` (${outcomeWords(row)})`;
  return text(row, "flags").split(" ").includes("partial") ? " (partial)" : "";
}
const runName = (row) => `${workloadName(row)}: ${machineName(row)}, ${settingName(row)}${endMark(row)}, ${
    text(row, "time_utc") || text(row, "run_id")}`;

/** Strips: a machine in one setting, with the steps of all its rows. Rows that ended early have strips of their own. */
function stripsOf(runs) {
  const nameOf = ({row}) => `${machineName(row)}, ${settingName(row)}${endMark(row)}`;
  return grouped(runs, nameOf).map((members) => {
    const rows = members.map(({row}) => row);
    const [first] = rows;
    const end = endMark(first);
    const name = nameOf(members[0]);
    return {
      name,
      end,
      first,
      runs: members,
      machine: machineName(first),
      setting: settingName(first) + end,
      median: meanOf(rows, "step_s_p50") ?? meanOf(rows, "step_s_mean") ?? Infinity,
      cells: [
        name, rows.length, members.reduce((sum, {count}) => sum + count, 0), meanOf(rows, "step_s_p50"),
        meanOf(rows, "step_s_p90"), Math.max(...rows.map((row) => number(row, "step_s_max") ?? 0)) || null
      ]
    };
  });
}

/** Sorts strips by machine, the fastest first, and by setting within it. Rows that ended early come last. */
function inOrderOfMachines(strips) {
  const best = new Map();
  for (const {machine, median, end} of strips)
    if (!end) best.set(machine, Math.min(best.get(machine) ?? Infinity, median));
  const ofMachine = ({machine, end}) => (end ? Infinity : best.get(machine));
  const places = new Map(strips.map((strip, i) => [strip, i]));
  return [...strips].sort(
      (a, b) => Boolean(a.end) - Boolean(b.end) || (ofMachine(a) - ofMachine(b) || 0) ||
          a.machine.localeCompare(b.machine) || (a.median - b.median || 0) || places.get(a) - places.get(b));
}

function drawSteps(place, rows) {
  const wanted = new Set(rows);
  const runs = data.steps.filter(({row}) => wanted.has(row));
  if (runs.length === 0)
    return place.append(note("No raw times here: they are in the .json and .jsonl files of a run, not in its .csv."));
  const sampled = runs.reduce((sum, run) => sum + run.step_s.length, 0);
  const all = runs.reduce((sum, run) => sum + run.count, 0);
  const groups = grouped(runs, ({row}) => workloadName(row));
  const names = groups.map(([{row}]) => workloadName(row));
  chooser(place, "Workload ", names, (choice, spot) => {
    const strips = inOrderOfMachines(stripsOf(groups[choice]));
    const shown = strips.slice(0, MOST_STRIPS);
    drawStrips(spot, shown, names[choice]);
    drawOrder(spot, shown.slice(0, MOST_ORDERS), names[choice]);
    if (strips.length > shown.length) spot.append(leftOut(strips.length - shown.length, "slower line"));
    if (shown.length > MOST_ORDERS) spot.append(note(`In the order of time the first ${MOST_ORDERS} alone are drawn.`));
  });
  if (sampled < all)
    place.append(note(`To keep the page usable it holds ${sampled} of ${all} steps, evenly chosen from each run.`));
}

/** "step" or "iteration". All runs of a chart have the same work. */
const stepOf = ([strip]) => taskOf(strip.first).step;
/** The datasets of strips. `pointsOf` gives a run's points; `shape` is one for all if names are beside the strips. */
function stripSets(strips, pointsOf, shape) {
  const colours = coloursOf(strips.map(({name}) => name));
  return strips.map((strip) => ({
                      label: strip.name,
                      data: strip.runs.flatMap((run) => pointsOf(run, strip)),
                      backgroundColor: colours.get(strip.name),
                      borderColor: colours.get(strip.name),
                      pointStyle: strip.end ? "crossRot" : shape,
                      pointRadius: 2.5,
                      showLine: false
                    }));
}
const stepTable = (strips) => ({
  header: ["machine and setting", "rows", `${stepOf(strips)}s`, "median, s", "90 % below, s", "longest, s"],
  cells: strips.map(({cells}) => cells)
});

/** Draws a line of points per machine and setting, spread a little so that they do not cover each other. */
function drawStrips(spot, strips, name) {
  const spread = (i) => (((i * 0.618034) % 1) - 0.5) * 0.6;
  const labels = strips.map(ownLines);
  chartFigure(spot, {
    title: `Every timed ${stepOf(strips)}: ${name}`,
    help: `Each point is one ${
              stepOf(strips)}, each line a machine and setting with the median of its rows; the fastest machine ` +
        "first. Crosses: the row was interrupted, cut or failed.",
    area: barHeight(labels) * strips.length,
    config: {
      type: "scatter",
      data: {
        datasets: stripSets(
            strips, (run, strip) => run.step_s.map((x, i) => ({x, y: strips.indexOf(strip) + spread(i)})), "circle")
      },
      options: {
        scales: {
          x: spreadAxis(`s for one ${stepOf(strips)}`, strips.flatMap(({runs}) => runs.flatMap((run) => run.step_s))),
          y: axis("", {
            reverse: true,
            min: -0.5,
            max: strips.length - 0.5,
            afterBuildTicks: (scale) => {
              scale.ticks = strips.map((_, value) => ({value}));
            },
            ticks: {color: themeColour("--ink"), callback: (value) => labels[value] ?? ""}
          })
        },
        plugins: {
          legend: {display: false},
          lineEnds: {texts: strips.map(({median}) => (Number.isFinite(median) ? timeWords(median) : ""))}
        }
      }
    },
    table: stepTable(strips),
  });
}

/** Draws the same in the order of time, which shows drift and hiccups. */
function drawOrder(spot, strips, name) {
  chartFigure(spot, {
    title: `Each ${stepOf(strips)} in the order of time: ${name}`,
    help: "A rise to the right is drift: heat, or a clock that falls.",
    area: plotHeight(230),
    config: {
      type: "scatter",
      data: {
        datasets: stripSets(
            strips,
            (run) => run.step_s.map(
                (y, i) =>
                    ({x: run.step_s.length < 2 ? 0 : Math.round((i * (run.count - 1)) / (run.step_s.length - 1)), y})))
      },
      options: {
        scales: {
          x: axis(`timed ${stepOf(strips)} of its row`),
          y: spreadAxis(`s for one ${stepOf(strips)}`, strips.flatMap(({runs}) => runs.flatMap((run) => run.step_s)))
        },
        plugins: {legend: {display: true}}
      }
    },
    table: stepTable(strips),
  });
}

const SENSORS = {
  power_w: "Power",
  temperature_c: "Temperature",
  clock_hz: "Clock of the SMs or cores",
  memory_clock_hz: "Clock of the memory",
  load_percent: "Load",
  fan_percent: "Fan",
  memory_used_bytes: "Memory of the GPU in use",
  worker_rss_bytes: "Memory of the worker"
};

function drawTelemetry(place, rows) {
  const wanted = new Set(rows);
  const runs = grouped(data.telemetry.filter(({row}) => wanted.has(row)), ({row}) => row);
  if (data.telemetry_foreign_runs > 0)
    place.append(note(`Left out: telemetry without a record here, of this many runs: ${data.telemetry_foreign_runs}.`));
  if (runs.length === 0)
    return place.append(
        note("No samples here: run with --telemetry FILE.csv, and give that file to sdbench report, too."));
  chooser(place, "Run ", runs.map(([{row}]) => shortened(runName(row), 110)), (choice, spot) => {
    const series = runs[choice];
    const [{row}] = series;
    const cards = element("div", {class: "cards wide"});
    spot.append(cards);
    const held = throttledSpans(series);
    for (const sensor of Object.keys(SENSORS))
      drawSensor(cards, sensor, series.filter((one) => one.sensors[sensor]), held);
    const reasons =
        [...new Set(series.flatMap(({throttle}) => throttle.texts).filter((words) => words && words !== "none"))];
    spot.append(note(
        reasons.length ? `Shaded: the clocks were held down (${reasons.join("; ")}).` :
                         "No sensor told of clocks that were held down.",
        text(row, "flags") ? ` Flags of the run: ${text(row, "flags")}.` : ""));
    const thinned = series.some((one) => one.count > one.time_s.length);
    if (thinned)
      spot.append(note("To keep the page usable not every sample is drawn; all changes of the throttle reasons are."));
  });
}

function throttledSpans(series) {
  const list = [];
  for (const {throttle, time_s: times} of series) {
    throttle.index.forEach((place, i) => {
      const words = throttle.texts[place];
      if (!words || words === "none") return;
      const to = times[i + 1] ?? times[i];
      if (list.length && list[list.length - 1][1] === times[i])
        list[list.length - 1][1] = to;
      else
        list.push([times[i], to]);
    });
  }
  return list;
}

function drawSensor(spot, sensor, series, held) {
  if (series.length === 0) return;
  const [divisor, unit] = readable(sensor);
  const valueOf = (value) => (value === null ? null : value / divisor);
  const colours = coloursOf(series.map((one) => one.device));
  chartFigure(spot, {
    title: SENSORS[sensor],
    area: plotHeight(170),
    config: {
      type: "line",
      data: {
        datasets: series.map(
            (one) => ({
              label: one.device,
              borderColor: colours.get(one.device),
              backgroundColor: colours.get(one.device),
              pointRadius: 0,
              borderWidth: 2,
              data: one.time_s.map(
                  (x, i) => ({x, y: valueOf(one.sensors[sensor][i]), phase: one.phase.texts[one.phase.index[i]]}))
            }))
      },
      options: {
        scales: {
          x: axis("s since the program began", {type: "linear"}),
          y: axis(unit, {beginAtZero: sensor === "load_percent"})
        },
        plugins: {spans: {list: held}, tooltip: {callbacks: {afterLabel: (item) => item.raw.phase}}}
      }
    },
    table: {
      header: ["device", "from, s", "to, s", `least, ${unit}`, `mean, ${unit}`, `most, ${unit}`],
      cells: series.map((one) => {
        const values = one.sensors[sensor].filter((value) => value !== null).map(valueOf);
        return [
          one.device, one.time_s[0], one.time_s[one.time_s.length - 1], values.reduce((a, b) => Math.min(a, b)),
          values.reduce((a, b) => a + b, 0) / values.length, values.reduce((a, b) => Math.max(a, b))
        ];
      })
    },
  });
}
