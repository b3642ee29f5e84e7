/** A figure to three digits, as in `sdbench compare` (significant_text() in src/base/numbers/number_text.cpp). */
function figure(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(Math.max(2 - magnitude, 0), 17));
}

/** A time for people, as time_text() in src/base/numbers/units.cpp writes it. */
function timeWords(seconds) {
  if (seconds < 1e-3) return `${figure(seconds * 1e6)} us`;
  if (seconds < 1) return `${figure(seconds * 1e3)} ms`;
  if (seconds < 100) return `${figure(seconds)} s`;
  const whole = Math.round(seconds);
  const twoDigits = (value) => String(value).padStart(2, "0");
  return whole < 3600 ? `${Math.floor(whole / 60)} min ${twoDigits(whole % 60)} s` :
                        `${Math.floor(whole / 3600)} h ${twoDigits(Math.floor(whole / 60) % 60)} min`;
}

/** "1 step", "2 steps" */
const counted = (count, noun) => `${count} ${noun}${Number(count) === 1 ? "" : "s"}`;
/** "1 row is", "2 rows are" */
const countedAre = (count, noun) => `${counted(count, noun)} ${Number(count) === 1 ? "is" : "are"}`;

/** "2 more rows are left out; use the filter." Paper has no filter. */
const leftOut = (count, noun) => note(`${countedAre(count, noun)} left out${isOnPaper() ? "" : "; use the filter"}.`);

/** A speed with its unit. In seconds per iteration if the best of its kind is below one it/s. */
function speed(value, metric, best = value) {
  if (value !== null && best < 1 && data.metrics[metric].unit === "it/s") return `${figure(1 / value)} s/it`;
  return `${figure(value)} ${data.metrics[metric].unit}`;
}

/** What people call a field: [before the figure, its unit]. */
function figureWords(name) {
  const {words = name, unit = ""} = columns.get(name) ?? {};
  const unitOfPeople = data.metrics[name]?.unit ?? (words.includes("/") ? words : null);
  return unitOfPeople ? ["", unitOfPeople] : [words, unit];
}

/** "iteration 83.5 ms", "accuracy 0.930" */
function figureText(name, value) {
  const [before, unit] = figureWords(name);
  return [before, unit === "s" ? timeWords(value) : `${figure(value)} ${unit}`.trim()].filter(Boolean).join(" ");
}

const UNITS = [
  ["_bytes", 2 ** 30, "GiB"], ["clock_hz", 1e6, "MHz"], ["power_w", 1, "W"], ["temperature_c", 1, "°C"],
  ["percent", 1, "%"]
];
/** The unit in which people read a sensor or memory field: [divisor, unit]. */
function readable(name) {
  const found = UNITS.find(([part]) => name.includes(part));
  return found ? [found[1], found[2]] : [1, columns.get(name)?.unit ?? ""];
}

/** An element with text and children; text from files only ever becomes a text node. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const note = (...content) => element("p", {class: "note"}, ...content);

/** The function that writes these numbers. If all are integers, it writes them in full. */
function numberWriter(values) {
  return values.every((value) => value === null || Number.isInteger(value)) ? (value) => String(value ?? "–") : figure;
}

/** A table with a header row; numbers are aligned right. `cells`: rows of texts or numbers. */
function simpleTable(caption, header, cells) {
  const isNumber =
      header.map((_, i) => cells.length > 0 && cells.every((row) => typeof row[i] === "number" || row[i] === null));
  const write = header.map((_, i) => isNumber[i] ? numberWriter(cells.map((row) => row[i])) : null);
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
                          (value, i) =>
                              element("td", side(i), isNumber[i] ? write[i](value) : String(value ?? ""))))))));
}
