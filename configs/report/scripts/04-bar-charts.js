// Bars labelled with names and figures, so that no legend of colours is needed.
const FEW_BARS = 3;          // larger groups get their own chart
const BARS_TOGETHER = 10;    // groups with more bars in total also get their own charts
const BARS_OF_A_CHART = 40;  // fit a page of paper if each name has one line

/**
 * Horizontal bars. Each of `groups` has a name (a workload) and bars {name, value, low, high, text, colour, more,
 * cells}. `text` is behind the bar, `more` has lines of the tooltip, `cells` is the bar's row of the table under
 * `header`. The title describes the axis. Short groups share a chart; a long group has charts of its own.
 */
function barCharts(place, {title, help, axisTitle, header, groups}) {
  const parts = chartParts(groups);
  const isOfOne = (part) => part.every((group) => group.name === part[0].name);
  const titles = numbered(parts.map((part) => isOfOne(part) && part[0].name ? `${title}: ${part[0].name}` : title));
  for (const [index, part] of parts.entries()) {
    const bars = part.flatMap((group) => group.bars.map((bar) => ({...bar, group: isOfOne(part) ? "" : group.name})));
    barChart(place, {title: titles[index], help: isOnPaper() && index > 0 ? "" : help, axisTitle, header, bars});
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

function barChart(place, {title, help, axisTitle, header, bars}) {
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
          x: axis("", {
            beginAtZero: true,
            suggestedMax: reachOf(bars.map(({value, high}) => ({rate: value, high: high ?? null})))
          }),
          y: axis("", {ticks: {autoSkip: false, color: themeColour("--ink")}})
        },
        plugins:
            {legend: {display: false}, tooltip: {callbacks: {afterLabel: (item) => bars[item.dataIndex].more ?? []}}}
      }
    },
    table: {header, cells: bars.map((bar) => bar.cells)}
  });
}
