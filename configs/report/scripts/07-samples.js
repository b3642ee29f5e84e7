// Raw samples: the steps of runs, and the sensors over time.
const MOST_STRIPS = 14;

/** " (interrupted)" of a row whose steps are not those of whole runs; else nothing. */
function endMark(row) {
  if (!isGood(row)) return ` (${outcome(row)})`;
  return text(row, "flags").split(" ").includes("partial") ? " (partial)" : "";
}
const runName = (row) => `${workloadName(row)}: ${machineName(row)}, ${settingName(row)}${endMark(row)}, ${
    text(row, "time_utc") || text(row, "run_id")}`;

function drawSteps(place, rows) {
  const wanted = new Set(rows);
  const runs = data.steps.filter(({row}) => wanted.has(row));
  if (runs.length === 0)
    return place.append(note("No raw times here: they are in the .json and .jsonl files of a run, not in its .csv."));
  const sampled = runs.reduce((sum, run) => sum + run.step_s.length, 0);
  const all = runs.reduce((sum, run) => sum + run.count, 0);
  const groups = new Map();
  for (const run of runs) {
    const name = workloadName(run.row);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(run);
  }
  const names = [...groups.keys()];
  chooser(place, "Workload ", names, (choice, spot) => {
    const members = groups.get(names[choice]);
    const shown = members.slice(0, MOST_STRIPS);
    drawStrips(spot, shown, names[choice]);
    drawOrder(spot, shown, names[choice]);
    if (members.length > MOST_STRIPS)
      spot.append(note(`${countedAre(members.length - MOST_STRIPS, "more run")} left out; use the filter.`));
  });
  if (sampled < all)
    place.append(note(`To keep the page usable it holds ${sampled} of ${all} steps, evenly chosen from each run.`));
}

/** "step", "iteration": all runs of a chart are of one work. */
const stepOf = ([run]) => taskOf(run.row).step;
const stripName = (run) => `${machineName(run.row)}, ${settingName(run.row)}${endMark(run.row)}`;
/** Points of runs; those of one machine and setting share a colour. */
function strips(runs, pointsOf) {
  const names = [...new Set(runs.map(stripName))];
  const colours = coloursOf(names);
  return names.map((label) => ({
                     label,
                     data: runs.filter((run) => stripName(run) === label).flatMap(pointsOf),
                     backgroundColor: colours.get(label),
                     borderColor: colours.get(label),
                     pointStyle: runs.some((run) => stripName(run) === label && endMark(run.row)) ? "crossRot" :
                         names.indexOf(label) < COLOURS                                           ? "circle" :
                                                                                                    "triangle",
                     pointRadius: 2,
                     showLine: false
                   }));
}
const stepTable = (runs) => ({
  header: ["run", `${stepOf(runs)}s`, "median, s", "90 % below, s", "longest, s"],
  cells: runs.map(
      (run) =>
          [stripName(run), run.count, number(run.row, "step_s_p50"), number(run.row, "step_s_p90"),
           number(run.row, "step_s_max")])
});

/** Each run a line of points, spread a little so that they do not cover each other. */
function drawStrips(spot, runs, name) {
  const spread = (i) => (((i * 0.618034) % 1) - 0.5) * 0.6;
  chartFigure(spot, {
    title: `Every timed ${stepOf(runs)}: ${name}`,
    help:
        `Each point is one ${stepOf(runs)}; a run is a line of them. Crosses: the row was interrupted, cut or failed.`,
    height: 110 + 50 * runs.length,
    config: {
      type: "scatter",
      data: {datasets: strips(runs, (run) => run.step_s.map((x, i) => ({x, y: runs.indexOf(run) + spread(i)})))},
      options: {
        scales: {
          x: spreadAxis(`s for one ${stepOf(runs)}`, runs.flatMap((run) => run.step_s)),
          y: axis("", {
            reverse: true,
            min: -0.5,
            max: runs.length - 0.5,
            afterBuildTicks: (scale) => {
              scale.ticks = runs.map((_, value) => ({value}));
            },
            ticks: {
              callback: (value) =>
                  (runs[value] ?
                       lines(machineName(runs[value].row), settingName(runs[value].row) + endMark(runs[value].row)) :
                       "")
            }
          })
        },
        plugins: {legend: {display: false}}
      }
    },
    table: stepTable(runs),
  });
}

/** The same in the order of time: drift and hiccups. */
function drawOrder(spot, runs, name) {
  chartFigure(spot, {
    title: `Each ${stepOf(runs)} in the order of time: ${name}`,
    help: "A rise to the right is drift: heat, or a clock that falls.",
    height: 280,
    config: {
      type: "scatter",
      data: {
        datasets: strips(
            runs,
            (run) => run.step_s.map(
                (y, i) =>
                    ({x: run.step_s.length < 2 ? 0 : Math.round((i * (run.count - 1)) / (run.step_s.length - 1)), y})))
      },
      options: {
        scales: {
          x: axis(`timed ${stepOf(runs)}`),
          y: spreadAxis(`s for one ${stepOf(runs)}`, runs.flatMap((run) => run.step_s))
        }
      }
    },
    table: stepTable(runs),
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
  const runs = new Map();
  for (const series of data.telemetry.filter(({row}) => wanted.has(row))) {
    if (!runs.has(series.row)) runs.set(series.row, []);
    runs.get(series.row).push(series);
  }
  if (data.telemetry_foreign_runs > 0)
    place.append(note(`Left out: telemetry without a record here, of this many runs: ${data.telemetry_foreign_runs}.`));
  if (runs.size === 0)
    return place.append(
        note("No samples here: run with --telemetry FILE.csv, and give that file to sdbench report, too."));
  const members = [...runs];
  chooser(place, "Run ", members.map(([row]) => shortened(runName(row), 110)), (choice, spot) => {
    const [row, series] = members[choice];
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
    height: 220,
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
