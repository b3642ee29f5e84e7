// Bars labelled with names and figures, so that no legend of colours is needed.
const FEW_BARS = 3;          // larger groups get their own chart
const BARS_TOGETHER = 10;    // groups with more bars in total also get their own charts
const BARS_OF_A_CHART = 40;  // fit a page of paper if each name has one line
const MOST_GROUPS = 24;
const MOST_BARS = 400;

/**
 * Horizontal bars. Each of `groups` has a name (a workload) and bars {name, value, low, high, text, colour, more,
 * cells}. `text` is behind the bar, `more` has lines of the tooltip, `cells` is the bar's row of the table under
 * `header`. The title describes the axis. Short groups share a chart; a long group has charts of its own.
 */
function barCharts(place, {title, help, axisTitle, header, groups: all}) {
  const most = Math.max(4, Math.floor(MOST_BARS / Math.min(all.length, MOST_GROUPS)));
  const groups = all.slice(0, MOST_GROUPS).map(({name, bars}) => ({name, bars: bars.slice(0, most)}));
  if (all.length > groups.length || all.some(({bars}) => bars.length > most))
    help += ` Drawn: ${groups.length} of ${all.length} workloads, of each the ${most} best bars.`;
  const parts = chartParts(groups);
  const isOfOne = (part) => part.every((group) => group.name === part[0].name);
  const charts = parts.map((part) => isOfOne(part) && part[0].name ? `${title}: ${part[0].name}` : title);
  const titles = numbered(charts);
  for (const [index, part] of parts.entries()) {
    const bars = part.flatMap((group) => group.bars.map((bar) => ({...bar, group: isOfOne(part) ? "" : group.name})));
    const whole = parts.filter((_, i) => charts[i] === charts[index]).flat().flatMap((group) => group.bars);
    const end = reachOf(whole.map(({value, high}) => ({rate: value, high})));  // one scale for all parts
    barChart(place, {title: titles[index], help: isOnPaper() && index > 0 ? "" : help, axisTitle, header, bars, end});
  }
}

/** The titles, with equal ones numbered: "..., 1 of 2", "..., 2 of 2". */
function numbered(titles) {
  return titles.map((title, place) => {
    const count = titles.filter((other) => other === title).length;
    return count > 1 ? `${title}, ${titles.slice(0, place + 1).filter((other) => other === title).length} of ${count}` :
                       title;
  });
}

/** Distributes groups to charts. */
function chartParts(groups) {
  const parts = [];
  let count = Infinity;  // bars of the last part, if it has room for more; on paper charts stand side by side instead
  for (const {name, bars} of groups) {
    const most = Math.floor(BARS_OF_A_CHART * barHeight([[""]]) / barHeight(bars.map((bar) => lines(bar.name))));
    for (let first = 0; first < bars.length; first += most) {
      const piece = {name, bars: bars.slice(first, first + most)};
      if (!isOnPaper() && piece.bars.length <= FEW_BARS && count + piece.bars.length <= BARS_TOGETHER) {
        parts[parts.length - 1].push(piece);
        count += piece.bars.length;
      } else {
        parts.push([piece]);
        count = piece.bars.length <= FEW_BARS ? piece.bars.length : Infinity;
      }
    }
  }
  return parts;
}

function barChart(place, {title, help, axisTitle, header, bars, end}) {
  const labels = bars.map((bar) => lines(bar.name, bar.group));
  chartFigure(place, {
    title,
    help,
    area: barHeight(labels) * bars.length,
    config: {
      type: "bar",
      data: {
        labels,
        datasets: [{
          label: axisTitle,
          data: bars.map((bar) => bar.value),
          backgroundColor: bars.map((bar) => bar.colour),
          intervals: bars.map(({low, high}) => (low === null || low === undefined ? null : [low, high])),
          texts: bars.map((bar) => bar.text),
          maxBarThickness: 22
        }]
      },
      options: {
        indexAxis: "y",
        scales: {
          x: axis("", {beginAtZero: true, max: end, ticks: {includeBounds: false}}),
          y: axis("", {ticks: {autoSkip: false, color: themeColour("--ink")}})
        },
        plugins:
            {legend: {display: false}, tooltip: {callbacks: {afterLabel: (item) => bars[item.dataIndex].more ?? []}}}
      }
    },
    table: {header, cells: bars.map((bar) => bar.cells)}
  });
}
