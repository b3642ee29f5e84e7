// The page: which section is drawn by what, and what happens when filter, speed or theme change.
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

function drawAll() {
  const filter = control("filter").value;
  const rows = matching(allRows, filter);
  for (const [id, draw] of Object.entries(SECTIONS)) {
    const place = document.querySelector(`#${id} > div`);
    place.replaceChildren();
    draw(place, rows, control("metric").value);
  }
  sweepCharts();
  control("filter-note").textContent =
      filter.trim() ? `${rows.length} of ${counted(allRows.length, "row")} match; every section follows.` : "";
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}
function nameTheme() { control("theme").textContent = isDark() ? "Light" : "Dark"; }

function start() {
  control("not-run").remove();
  const good = allRows.filter(isGood);
  const names = new Set((good.length ? good : allRows).map(machineName));  // a row that failed early knows no device
  const machines = names.size;
  coloursOf(names);  // machines come first
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
    control("sections").append(element("a", {href: `#${section.id}`}, section.querySelector("h2").textContent));
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
  nameTheme();
  drawAll();
}

start();
