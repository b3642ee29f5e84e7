/** A figure with three to four digits: 0.0123, 12.3, 1234. */
function figure(value) {
  if (value === null || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(2);
  if (size >= 1000) return Math.round(value).toString();
  return Number(value.toPrecision(size >= 100 ? 4 : 3)).toString();
}

/** "1 step", "2 steps" */
const counted = (count, noun) => `${count} ${noun}${Number(count) === 1 ? "" : "s"}`;
/** "1 row is", "2 rows are" */
const countedAre = (count, noun) => `${counted(count, noun)} ${Number(count) === 1 ? "is" : "are"}`;

/** As people write a speed: below one it/s, seconds an it. */
function speed(value, metric) {
  if (value !== null && value < 1 && data.metrics[metric].unit === "it/s") return `${figure(1 / value)} s/it`;
  return `${figure(value)} ${data.metrics[metric].unit}`;
}

/** What people call a field that is no speed: [before the figure, its unit]. */
const FIGURES = {
  e2e_s: ["end to end", "s"],
  step_s_mean: ["step", "s"],
  epoch_s_first: ["first epoch", "s"],
  epoch_s_median: ["epoch", "s"],
  accuracy: ["accuracy", ""],
  j_per_image: ["", "J/image"]
};
function figureWords(name) {
  const rate = data.metrics[name];
  return rate ? ["", rate.unit] : FIGURES[name] ?? [name, columns.get(name)?.unit ?? ""];
}

const UNITS = [
  ["_bytes", 2 ** 30, "GiB"], ["clock_hz", 1e6, "MHz"], ["power_w", 1, "W"], ["temperature_c", 1, "°C"],
  ["percent", 1, "%"]
];
/** A sensor or memory field in the unit that people read: [divisor, unit]. */
function readable(name) {
  const found = UNITS.find(([part]) => name.includes(part));
  return found ? [found[1], found[2]] : [1, columns.get(name)?.unit ?? ""];
}

/** An element with text and children; text from files only ever becomes a text node. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class")
      made.className = value;
    else
      made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const note = (...content) => element("p", {class: "note"}, ...content);

/** A table with a header row; numbers stand right. `cells`: rows of texts, or of {text, number}. */
function simpleTable(caption, header, cells) {
  const isNumber =
      header.map((_, i) => cells.length > 0 && cells.every((row) => typeof row[i] === "number" || row[i] === null));
  const side = (i) => (isNumber[i] ? {class: "number"} : {});
  return element(
      "div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
      element(
          "table", {}, element("caption", {}, caption),
          element(
              "thead", {},
              element("tr", {}, ...header.map((name, i) => element("th", {scope: "col", ...side(i)}, name)))),
          element(
              "tbody", {},
              ...cells.map(
                  (row) => element(
                      "tr", {},
                      ...row.map(
                          (value, i) => element("td", side(i), isNumber[i] ? figure(value) : String(value ?? ""))))))));
}
