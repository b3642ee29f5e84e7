// Cells over nights: results, baselines and changes of level, as found by `sdbench trend`.

const DAY_MS = 86400000;
const dayOf = (date) => Date.parse(date) / DAY_MS;
const dateOf = (day) => new Date(Math.round(day) * DAY_MS).toISOString().slice(0, 10);

/** The nights of each kind, as points with a mark of their own. Kinds without a night are not in the legend. */
function nightMarks(cell, colour) {
  const since = new Set(cell.changes.map((change) => change.since));
  const kindOf = ({date, odd}) => (since.has(date) ? "first" : odd ? "odd" : "usual");
  const marks = {
    usual: {label: "a night", pointStyle: "circle", pointRadius: 4, backgroundColor: colour},
    first: {label: "first night of another level", pointStyle: "rectRot", pointRadius: 8, backgroundColor: colour},
    odd: {label: "odd night, in no level", pointStyle: "circle", pointRadius: 5, backgroundColor: "transparent"},
  };
  const nights = cell.nights.filter(({value}) => value !== null);
  return Object.entries(marks)
      .map(([kind, mark]) => ({
             ...mark,
             showLine: false,
             borderColor: colour,
             data: nights.filter((night) => kindOf(night) === kind).map(({date, value}) => ({x: dayOf(date), y: value}))
           }))
      .filter(({data: points}) => points.length > 0);
}

/** Words for a cell's levels, and for its last night if that failed, as in `sdbench trend`. */
function trendNote(cell) {
  const words = cell.changes.map((change) => {
    const changed = change.changed.map(
        ({field, before, after}) =>
            before === after ? `${field} (not shown here)` : `${field} ${before || "(none)"} → ${after || "(none)"}`);
    return `${change.since}: ${figure(change.relative)}x; ${
        changed.slice(0, 4).join(", ") || "no recorded field explains it"}`;
  });
  const levels = words.length ? `Other levels since ${words.join("; ")}.` : "One level throughout.";
  return cell.failure ? `Failed: ${cell.failure}. ${levels}` : levels;
}

/** Draws one cell: its nights by date as points, and the baseline as a dashed line. */
function trendChart(spot, cell) {
  const colour = coloursOf([cell.machine]).get(cell.machine);
  chartFigure(spot, {
    title: `${cell.workload}: ${data.metrics[cell.metric]?.label ?? cell.metric} by night, ${cell.machine}`,
    help: trendNote(cell),
    area: plotHeight(230),
    config: {
      type: "line",
      data: {
        datasets: [
          ...nightMarks(cell, colour), {
            label: "baseline: the median of up to ten nights before",
            data: cell.nights.filter(({value}) => value !== null).map(({date,
                                                                        baseline}) => ({x: dayOf(date), y: baseline})),
            borderColor: themeColour("--ink"),
            backgroundColor: "transparent",
            borderDash: [6, 4],
            borderWidth: 1.5,
            pointRadius: 0,
            stepped: true
          }
        ]
      },
      options: {
        scales: {
          x: axis("night (UTC)", {
            type: "linear",
            min: dayOf(cell.nights[0].date) - 1,
            max: dayOf(cell.nights.at(-1).date) + 1,
            ticks: {precision: 0, includeBounds: false, callback: dateOf}
          }),
          y: axis(cell.unit)
        },
        plugins: {tooltip: {callbacks: {title: ([item]) => dateOf(item.parsed.x)}}}
      }
    },
    table: {
      header: ["night", cell.unit, "baseline", "rows", "failed"],
      cells: cell.nights.map(({date, value, baseline, rows, failed}) => [date, value, baseline, rows, failed])
    }
  });
}

function drawTrend(place) {
  if (data.trends.length === 0)
    return place.append(note("No cell was measured on 13 dates or more: sdbench trend shows those of fewer."));
  const works = [...new Set(data.trends.map(({workload}) => workload))];
  chooser(place, "Workload ", works, (choice, spot) => {
    for (const cell of data.trends.filter(({workload}) => workload === works[choice])) trendChart(spot, cell);
  });
}
