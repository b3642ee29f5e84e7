// Shared by all charts: colours of the theme, error bars, texts at bars, and the frame around a canvas with its figures
// as a table and its pictures.
const drawnCharts = [];

/** Colours if a server's policy also strips the page's style: everything is dark on white. */
const WITHOUT_STYLE = {
  "--page": "#ffffff",
  "--card": "#ffffff",
  "--line": "#c9ced8"
};
function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || (WITHOUT_STYLE[name] ?? "#3a414e");
}
const COLOURS = 8;
const colourPlaces = new Map();
/** The place of a name's colour: of "machine, setting" the machine's. */
function colourPlace(name) {
  for (let end = name.length; end > 0; end = name.lastIndexOf(", ", end - 1))
    if (colourPlaces.has(name.slice(0, end))) return colourPlaces.get(name.slice(0, end));
  colourPlaces.set(name, colourPlaces.size % COLOURS);
  return colourPlaces.get(name);
}
/**
 * A colour for each name of one chart. The first name of a machine has the machine's, which is the same throughout the
 * page; other names get what is left of the colours, and where none is left their machine's.
 */
function coloursOf(names) {
  const all = [...new Set(names)];
  const places = new Map();
  for (const name of all)
    if (![...places.values()].includes(colourPlace(name))) places.set(name, colourPlace(name));
  const left = [...Array(COLOURS).keys()].filter((place) => ![...places.values()].includes(place));
  for (const name of all)
    if (!places.has(name)) places.set(name, left.shift() ?? colourPlace(name));
  return new Map([...places].map(([name, place]) => [name, themeColour(`--c${place + 1}`)]));
}

/** Draws dataset.intervals (one [low, high] or null for each point) as whiskers. */
const errorBars = {
  id: "errorBars",
  afterDatasetsDraw(chart) {
    const lies = chart.options.indexAxis === "y";
    const scale = chart.scales[lies ? "x" : "y"];
    const {ctx} = chart;
    const {left, top, right, bottom} = chart.chartArea;
    ctx.save();
    ctx.beginPath();  // clips a whisker at the axis, without a cap
    ctx.rect(left, top, right - left, bottom - top);
    ctx.clip();
    ctx.strokeStyle = themeColour("--ink");
    ctx.lineWidth = 1.5;
    chart.data.datasets.forEach((dataset, place) => {
      if (!dataset.intervals || !chart.isDatasetVisible(place)) return;
      chart.getDatasetMeta(place).data.forEach((point, i) => {
        const interval = dataset.intervals[i];
        if (!interval || interval[0] === null) return;
        const [low, high] = interval.map((end) => scale.getPixelForValue(end));
        const at = lies ? point.y : point.x;
        const cap = 4;
        ctx.beginPath();
        const line = (a, b, c, d) => {
          ctx.moveTo(...(lies ? [b, a] : [a, b]));
          ctx.lineTo(...(lies ? [d, c] : [c, d]));
        };
        line(at, low, at, high);
        line(at - cap, low, at + cap, low);
        line(at - cap, high, at + cap, high);
        ctx.stroke();
      });
    });
    ctx.restore();
  },
};

/**
 * Writes dataset.texts, one per bar or point: behind a horizontal bar and its whisker, into a part of a stacked bar if
 * it fits, or above a point. Writes dataset.ends behind stacked bars. A reader thus never needs colours alone.
 */
const texts = {
  id: "texts",
  afterDatasetsDraw(chart) {
    const {ctx, chartArea} = chart;
    const lies = chart.options.indexAxis === "y";
    const isStacked = Boolean(chart.options.scales?.x?.stacked);
    ctx.save();
    ctx.font = `12px ${Chart.defaults.font.family}`;
    ctx.textBaseline = "middle";
    chart.data.datasets.forEach((dataset, place) => {
      if (!dataset.texts || !chart.isDatasetVisible(place)) return;
      chart.getDatasetMeta(place).data.forEach((item, i) => {
        const words = dataset.texts[i];
        if (dataset.ends) {
          ctx.fillStyle = themeColour("--ink");
          ctx.textAlign = "left";
          ctx.fillText(dataset.ends[i], item.x + 7, item.y);
        }
        if (!words) return;
        ctx.fillStyle = themeColour("--ink");
        ctx.textAlign = "left";
        if (!lies) {
          ctx.textAlign = "center";
          ctx.fillText(words, item.x, item.y - 12);
        } else if (isStacked) {
          if (ctx.measureText(words).width > Math.abs(item.x - item.base) - 6) return;
          ctx.textAlign = "center";
          ctx.fillStyle = themeColour("--page");
          ctx.fillText(words, (item.x + item.base) / 2, item.y);
        } else {
          const high = dataset.intervals?.[i]?.[1];
          const end = high ? Math.max(item.x, chart.scales.x.getPixelForValue(high)) : item.x;
          ctx.fillText(words, Math.min(end, chartArea.right) + 7, item.y);
        }
      });
    });
    ctx.restore();
  },
};
/** Writes options.plugins.lineEnds.texts at the right end of the lines 0, 1, … of a vertical axis of names. */
const lineEnds = {
  id: "lineEnds",
  afterDatasetsDraw({ctx, chartArea, scales}, _, options) {
    ctx.save();
    ctx.font = `12px ${Chart.defaults.font.family}`;
    ctx.textBaseline = "middle";
    ctx.fillStyle = themeColour("--ink");
    (options.texts ?? []).forEach((words, value) => {
      ctx.fillText(words, chartArea.right + 7, scales.y.getPixelForValue(value));
    });
    ctx.restore();
  },
};
/** Pixels that texts behind bars and lines need. */
function endRoom({options, data: {datasets}}) {
  const isOfBars = options?.indexAxis === "y" && !options.scales?.x?.stacked;
  const behind = [
    ...(options?.plugins?.lineEnds?.texts ?? []),
    ...datasets.flatMap(({texts: own, ends}) => (isOfBars ? own : ends) ?? [])
  ];
  const longest = behind.reduce((most, words) => Math.max(most, words?.length ?? 0), 0);
  return longest ? 7 * longest + 8 : 0;
}

/** Shades the spans of options.plugins.spans.list ([from, to] on the x axis), such as those of throttling. */
const spans = {
  id: "spans",
  beforeDatasetsDraw(chart, _, options) {
    const {ctx, chartArea, scales} = chart;
    ctx.save();
    ctx.globalAlpha = 0.25;
    ctx.fillStyle = themeColour("--bad");
    for (const [from, to] of options.list ?? []) {
      const left = scales.x.getPixelForValue(from);
      ctx.fillRect(
          left, chartArea.top, Math.max(2, scales.x.getPixelForValue(to) - left), chartArea.bottom - chartArea.top);
    }
    ctx.restore();
  },
};

function axis(title, more = {}) {
  const ink = themeColour("--soft");
  const grid = {color: themeColour("--line"), ...more.grid};
  return {...more, title: {display: Boolean(title), text: title, color: ink}, ticks: {color: ink, ...more.ticks}, grid};
}

const MAKERS_WORDS = /\b(NVIDIA|GeForce|Tesla) /g;
/** Shortens a name to fit a phone: drops makers' words first, then the middle, because the end often tells more. */
function shortened(whole, length) {
  const name = whole.length > length ? whole.replace(MAKERS_WORDS, "") : whole;
  const end = Math.floor(length / 2);
  return name.length > length ? `${name.slice(0, length - end - 1)}…${name.slice(-end)}` : name;
}
const isOnPaper = () => document.documentElement.classList.contains("paper");
const labelLength = () => (window.innerWidth < 480 ? 18 : window.innerWidth < 640 ? 20 : isOnPaper() ? 28 : 44);
/**
 * The end of a speed's axis. It includes all whiskers, but is limited, so that a very wide one does not squeeze all
 * others.
 */
function reachOf(speeds) {
  const most = speeds.reduce((a, {rate}) => Math.max(a, rate), 0);
  return Math.min(1.5 * most, speeds.reduce((a, {high}) => Math.max(a, high ?? 0), most));
}
/** Wraps a name into short lines instead of cutting it, so that no two names look the same. Cuts only long words. */
function wrapped(whole, length) {
  const name = whole.length > length ? whole.replace(MAKERS_WORDS, "") : whole;
  return inLines(name, length, (word) => shortened(word, length));
}
/** The lines of a label, in which each part begins a new line. */
const lines = (...parts) => parts.filter(Boolean).flatMap((part) => wrapped(part, labelLength()));
/** A machine and its setting begin a line each; on paper, where their charts fill a sheet's width, they share one. */
const ownLines = ({machine, setting}) =>
    (isOnPaper() ? wrapped(`${machine}, ${setting}`, 60) : lines(machine, setting));
/** Pixels of a chart without names at its lines; on paper fewer, so that eight cards fit on six sheets. */
const plotHeight = (pixels) => (isOnPaper() ? 0.5 * pixels : pixels);
/** Pixels of a bar or line of points, with room for the label that has the most lines. */
function barHeight(labels) {
  const most = Math.max(...labels.map((label) => label.length));
  return most > 1 ? 14.4 * most + (isOnPaper() ? 4 : 8) : isOnPaper() ? 18 : 24;
}

/** An axis that is logarithmic if a linear one would make small values invisible. */
function spreadAxis(title, values) {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  return least > 0 && most / least > 20 ? axis(title, {type: "logarithmic", ticks: {callback: decadeTick}}) :
                                          axis(title, {beginAtZero: true});
}
const decadeTick = (value) =>
    ([1, 2, 5].includes(Number(value.toExponential()[0])) && value.toExponential().length < 6 ?
         String(Number(figure(value))) :
         "");

/** Marks that tell curves and points apart without colours. The shapes that are missing have a meaning in 08-fits. */
const SHAPES = ["circle", "triangle", "rect", "star", "rectRounded", "cross", "dash", "line"];
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
/** Gives points and curves distinct marks, and horizontal bars that are not stacked their figures as texts. */
function giveMarks({type, data: {datasets}, options}) {
  if (type === "bar") {
    if (options?.indexAxis !== "y" || options.scales?.x?.stacked) return;
    for (const dataset of datasets)
      dataset.texts ??= dataset.data.map((value) => (value === null ? "" : figure(value)));
    return;
  }
  datasets.forEach((dataset, i) => {
    dataset.pointStyle ??= dataset.pointRadius === 0 ? "line" : SHAPES[i % SHAPES.length];
    if ((dataset.type ?? type) === "line") dataset.borderDash ??= DASHES[i % DASHES.length];
  });
}

/** The library's options for a chart: the caller's, and those of all charts. `hasLegend`: names are below it. */
function chartOptions(config, hasLegend, more = {}) {
  return {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    layout: {padding: {right: endRoom(config)}},
    ...config.options,
    ...more,
    plugins: {
      ...config.options?.plugins,
      legend: {
        display: hasLegend,
        position: "bottom",
        labels: {
          color: themeColour("--ink"),
          boxWidth: config.type === "bar" ? 14 : 22,
          usePointStyle: config.type !== "bar",
          generateLabels: shortLabels
        }
      },
      ...more.plugins
    },
  };
}

/** Makes a chart as high as it takes for `area` pixels within its axes, whatever axes and legend take. */
function giveRoom(chart, area) {
  chart.resize(chart.width, Math.ceil(chart.height + area - (chart.chartArea.bottom - chart.chartArea.top)));
  return chart.height;
}

const MOST_BESIDE = 300;  // pixels beside `area`: enough for any legend

/**
 * A chart in a frame. `area`: its pixels from above to below within the axes; `config`: Chart.js's type, data and
 * options; `table`: {header, cells}, the same figures for those who cannot see the canvas. The label says in words what
 * the chart shows.
 */
function chartFigure(parent, {title, help, area, config, table}) {
  const canvas = element(
      "canvas", {role: "img", "aria-label": `${title}. ${help ?? ""} The figures stand in the table below the chart.`});
  const box = element("div", {class: "canvas-box"}, canvas);
  const details = element("details", {}, element("summary", {}, "Figures as a table"));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(simpleTable(title, table.header, table.cells));
  });
  const below = element("div", {class: "below"}, details);
  const hasLegend = config.options?.plugins?.legend?.display ?? config.data.datasets.length > 1;
  parent.append(element(
      "figure", config.type === "bar" && !hasLegend ? {class: "half"} : {},
      element("figcaption", {}, element("strong", {}, title), " ", help ?? ""), box, below));
  giveMarks(config);
  box.style.height = `${area + MOST_BESIDE}px`;
  const chart = new Chart(canvas, {...config, options: chartOptions(config, hasLegend), plugins: PLUGINS});
  box.style.height = `${giveRoom(chart, area)}px`;
  below.append(pictureButtons(chart, {title, help, area, config, hasLegend}));
  drawnCharts.push(chart);
  return chart;
}
const PLUGINS = [errorBars, spans, texts, lineEnds];

/** Shortens a name to one line of a legend. Cuts the machine first, which is at the beginning. */
function legendName(name) {
  const most = window.innerWidth < 640 ? 42 : 64;
  const rest = name.includes(", ") ? name.slice(name.indexOf(", ")) : "";
  return shortened(shortened(name.slice(0, name.length - rest.length), Math.max(9, most - rest.length)) + rest, most);
}
const shortLabels = (chart) => Chart.defaults.plugins.legend.labels.generateLabels(chart).map(
    (label) => ({...label, text: legendName(label.text)}));

const MOST_UNPRINTED = 3;        // by name
const chosenBefore = new Map();  // by section and label; kept, because filter, theme and printer redraw the page
/** A select with a label, and what it shows. At once draws what was chosen before, or else the choice `first`. */
function chooser(parent, label, choices, draw, first = 0) {
  const select = element("select", {}, ...choices.map((choice, i) => element("option", {value: i}, choice)));
  const key = `${parent.closest("section")?.id} ${label}`;
  const before = choices.indexOf(chosenBefore.get(key));
  select.value = String(before < 0 ? first : before);
  const place = element("div", {});
  const show = () => {
    place.replaceChildren();
    draw(Number(select.value), place);
    sweepCharts();
  };
  select.addEventListener("change", () => {
    chosenBefore.set(key, choices[select.value]);
    show();
  });
  const others = choices.filter((_, i) => i !== Number(select.value));
  if (isOnPaper() && others.length > 0)
    parent.append(element(
        "p", {class: "note printed"},
        `${label}${choices[select.value]}. Not printed: ${others.slice(0, MOST_UNPRINTED).join("; ")}${
            others.length > MOST_UNPRINTED ? `; ${others.length - MOST_UNPRINTED} more` : ""}.`));
  if (others.length > 0) parent.append(element("p", {class: "screen"}, element("label", {}, label, select)));
  parent.append(place);
  show();
}

/** Frees the charts whose canvas is no longer in the page. */
function sweepCharts() {
  for (let i = drawnCharts.length - 1; i >= 0; --i) {
    if (!drawnCharts[i].canvas?.isConnected) drawnCharts.splice(i, 1)[0].destroy();
  }
}
