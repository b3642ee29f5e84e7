// Cells over nights: what each came to, its baseline, and where it went over to another level. `sdbench trend` found
// them.

/** One cell: its nights as points, the baseline dashed; a night from which on the level is another one is a diamond. */
function trendChart(spot, cell) {
  const since = new Set(cell.changes.map((change) => change.since));
  const nights = cell.nights.filter(({value}) => value !== null);
  const colour = coloursOf([cell.machine]).get(cell.machine);
  const words = cell.changes.map((change) => {
    const changed =
        change.changed.map(({field, before, after}) => `${field} ${before || "(none)"} → ${after || "(none)"}`);
    return `${change.since}: ${figure(change.relative)}x; ${changed.slice(0, 4).join(", ") || "no field tells why"}`;
  });
  chartFigure(spot, {
    title: cell.machine,
    help: words.length ? `Other levels since ${words.join("; ")}.` : "One level throughout.",
    height: 280,
    config: {
      type: "line",
      data: {
        labels: nights.map(({date}) => date),
        datasets: [
          {
            label: cell.unit,
            data: nights.map(({value}) => value),
            showLine: false,
            borderColor: colour,
            backgroundColor: nights.map(({odd}) => (odd ? "transparent" : colour)),
            pointRadius: nights.map(({date}) => (since.has(date) ? 8 : 4)),
            pointStyle: nights.map(({date}) => (since.has(date) ? "rectRot" : "circle"))
          },
          {
            label: "baseline: the median of ten nights before",
            data: nights.map(({baseline}) => baseline),
            borderColor: themeColour("--ink"),
            backgroundColor: "transparent",
            borderDash: [6, 4],
            borderWidth: 1.5,
            pointRadius: 0,
            stepped: true
          }
        ]
      },
      options: {scales: {x: axis("night (UTC)"), y: axis(cell.unit)}}
    },
    table: {
      header: ["night", cell.unit, "baseline", "rows"],
      cells: nights.map(({date, value, baseline, rows}) => [date, value, baseline, rows])
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
