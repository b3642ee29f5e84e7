// The page: which function draws each section, and what happens when filter, speed or theme change.
const SECTIONS = {
  answer: drawAnswer,
  paid: drawPaid,
  bars: drawBars,
  batch: drawBatch,
  stages: drawStages,
  steps: drawSteps,
  telemetry: drawTelemetry,
  trend: drawTrend,
  quality: drawQuality,
  fit: drawFit,
  roofline: drawRoofline,
  money: drawMoney,
  runs: drawRuns,
  failed: drawFailed,
  about: drawAbout
};

const control = (id) => document.getElementById(id);

const ALWAYS_THERE = ["answer", "runs", "about"];
function drawAll() {
  const filter = control("filter").value;
  const rows = matching(allRows, filter);
  const absent = [];
  for (const [id, draw] of Object.entries(SECTIONS)) {
    const section = control(id);
    const place = section.querySelector(":scope > div");
    place.replaceChildren();
    section.hidden = false;  // first, because a chart takes the width of its place
    draw(place, rows, control("metric").value, absent);
    section.hidden = !ALWAYS_THERE.includes(id) && !place.querySelector("figure, table");
    if (section.hidden) absent.push([section.querySelector("h2").textContent, place.textContent]);
    document.querySelector(`#sections a[href="#${id}"]`).hidden = section.hidden;
  }
  sweepCharts();
  control("filter-note").textContent =
      filter.trim() ? `${rows.length} of ${counted(allRows.length, "row")} match.` : "";
}

const PAPER_SCALE = 0.72;  // 1,000 pixels become the width of a sheet of A4
/** Firefox lacks "break-after: avoid", so headings get the height of what must stay with them (style.css). */
function reserveRoom() {
  for (const heading of document.querySelectorAll("main > section:not([hidden]) > h2")) {
    const first = heading.parentElement.querySelector("figure");
    const room = first ? first.getBoundingClientRect().bottom - heading.getBoundingClientRect().bottom : 0;
    heading.style.setProperty("--room", `${Math.min(Math.max(Math.round(PAPER_SCALE * room), 60), 900)}px`);
  }
}

/** Paper is white, and as wide as a picture. Choices are kept. */
let themeOfScreen;
function toPaper() {
  themeOfScreen = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
  document.documentElement.classList.add("paper");
  drawAll();
  reserveRoom();
}
function fromPaper() {
  if (themeOfScreen)
    document.documentElement.dataset.theme = themeOfScreen;
  else
    delete document.documentElement.dataset.theme;
  document.documentElement.classList.remove("paper");
  drawAll();
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}
function nameTheme() { control("theme").textContent = isDark() ? "Light" : "Dark"; }

function start() {
  for (const needy of document.querySelectorAll("main, .controls, .skip")) needy.hidden = false;
  const good = allRows.filter(isGood);
  const names = new Set((good.length ? good : allRows).map(machineName));  // a row that failed early has no device
  const machines = names.size;
  coloursOf(names);  // machines get their colours first
  const failed = allRows.length - good.length;
  control("summary").textContent = `${counted(allRows.length, "row")}, ${counted(machines, "machine")}` +
      `${failed ? `, ${failed} not ok` : ""}${data.bad_count ? `, ${data.bad_count} unreadable` : ""}. Made ${
                                       data.created_utc}.`;
  for (const [name, {label}] of Object.entries(data.metrics)) {
    if (columns.has(name)) control("metric").append(element("option", {value: name}, label));
  }
  if (control("metric").options.length === 0)
    control("metric").append(element("option", {value: "images_per_min"}, data.metrics.images_per_min.label));
  for (const section of document.querySelectorAll("main > section")) {
    control("sections").append(element("a", {href: `#${section.id}`}, section.querySelector("h2").textContent), " ");
  }
  let pending;
  control("filter").addEventListener("input", () => {
    clearTimeout(pending);
    pending = setTimeout(drawAll, 200);
  });
  control("metric").addEventListener("change", drawAll);
  control("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
    drawAll();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    nameTheme();
    drawAll();
  });
  window.addEventListener("beforeprint", toPaper);
  window.addEventListener("afterprint", fromPaper);
  nameTheme();
  drawAll();
  control("without-script").remove();  // last, so that the rows stay if something above fails
}

start();
