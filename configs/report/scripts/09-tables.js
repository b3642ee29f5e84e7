// All runs as a table that sorts and pages; what failed; what this page is made of.
const PAGE = 100;
const tableState = {
  sort: "time_utc",
  down: true,
  shown: PAGE,
  columns: null
};

const MADE_COLUMNS = {
  machine: {label: "machine", value: machineName},
  workload: {label: "workload", value: workloadName},
  setting: {label: "setting", value: settingName},
};
/** What tells most of the tasks that rows are of, of the fields that rows have. */
function usualColumns() {
  const tasks = new Set(allRows.map(taskOf));
  const names = [
    "machine", "workload", "setting", ...data.tasks.filter((task) => tasks.has(task)).flatMap(({figures}) => figures),
    "j_per_image", "peak_host_bytes", "peak_device_allocated_bytes", "status", "flags", "time_utc", "label", "note"
  ];
  return [...new Set(names)].filter((name) => MADE_COLUMNS[name] || columns.has(name));
}

const WIDE = ["machine", "workload", "setting", "note", "error"];

const isNumeric = (name) => Boolean(columns.get(name)?.numbers);
const cellValue = (row, name) =>
    (MADE_COLUMNS[name]  ? MADE_COLUMNS[name].value(row) :
         isNumeric(name) ? number(row, name) :
                           text(row, name));

const SHORT_LABELS = {
  peak_host_bytes: "host memory, GiB",
  peak_device_allocated_bytes: "GPU memory, GiB",
  time_utc: "when"
};

function columnLabel(name) {
  if (MADE_COLUMNS[name]) return name;
  if (SHORT_LABELS[name]) return SHORT_LABELS[name];
  if (FIGURES[name] || data.metrics[name]) return figureWords(name).filter(Boolean).join(", ");
  const unit = name.endsWith("_bytes") ? "GiB" : columns.get(name).unit;
  return unit ? `${name.replace(/_bytes$/, "")}, ${unit}` : name;
}
function shownValue(row, name) {
  const value = cellValue(row, name);
  if (!isNumeric(name)) return value;
  return value === null ? "" : name.endsWith("_bytes") ? figure(value / 2 ** 30) : figure(value);
}

/** Absent values stand last, whichever way it is sorted. */
function sortedRows(rows, name, down) {
  const values = new Map(rows.map((row) => [row, cellValue(row, name)]));
  const isEmpty = (value) => value === null || value === "";
  return [...rows].sort((a, b) => {
    const [x, y] = [values.get(a), values.get(b)];
    if (isEmpty(x) || isEmpty(y)) return isEmpty(x) - isEmpty(y);
    const order = typeof x === "number" ? x - y : x < y ? -1 : x > y ? 1 : 0;
    return down ? -order : order;
  });
}

function drawRuns(place, rows) {
  tableState.columns ??= usualColumns();
  const spot = element("div", {});
  const redraw = () => spot.replaceChildren(runsTable(rows, redraw));
  place.append(note("A heading sorts, and sorts the other way when it is pressed again."), columnChooser(redraw), spot);
  redraw();
}

function columnChooser(redraw) {
  const boxes = [...Object.keys(MADE_COLUMNS), ...columns.keys()].map((name) => {
    const box = element("input", {type: "checkbox"});
    box.checked = tableState.columns.includes(name);
    box.addEventListener("change", () => {
      tableState.columns =
          box.checked ? [...tableState.columns, name] : tableState.columns.filter((other) => other !== name);
      redraw();
    });
    return element("label", {title: columns.get(name)?.meaning ?? ""}, box, name);
  });
  return element("details", {}, element("summary", {}, "Columns"), element("div", {class: "columns"}, ...boxes));
}

function headerCell(name, redraw) {
  const isSorted = tableState.sort === name;
  const button = element(
      "button", {type: "button", title: columns.has(name) ? `${name}: ${columns.get(name).meaning}` : ""},
      columnLabel(name) + (isSorted ? (tableState.down ? " ▼" : " ▲") : ""));
  button.addEventListener("click", () => {
    tableState.down = isSorted ? !tableState.down : isNumeric(name);
    tableState.sort = name;
    redraw();
    document.querySelector(`#runs th[data-field="${CSS.escape(name)}"] button`)
        ?.focus();  // the table is new, the keyboard stays where it was
  });
  return element(
      "th", {
        scope: "col",
        "data-field": name,
        "aria-sort": isSorted ? (tableState.down ? "descending" : "ascending") : "none",
        ...(isNumeric(name) ? {class: "number"} : {})
      },
      button);
}

function runsTable(rows, redraw) {
  const sorted = sortedRows(rows, tableState.sort, tableState.down);
  const shown = sorted.slice(0, tableState.shown);
  const table = element(
      "table", {}, element("caption", {}, `${shown.length} of ${counted(rows.length, "row")}`),
      element("thead", {}, element("tr", {}, ...tableState.columns.map((name) => headerCell(name, redraw)))),
      element(
          "tbody", {},
          ...shown.map(
              (row) => element(
                  "tr", {},
                  ...tableState.columns.map(
                      (name) => element(
                          "td",
                          {class: isNumeric(name)  ? "number" :
                               WIDE.includes(name) ? "wide" :
                                                     ""},
                          String(shownValue(row, name))))))));
  const spot = element(
      "div", {}, element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "All runs"}, table));
  if (shown.length < sorted.length) {
    const more = element("button", {type: "button"}, `Show ${Math.min(PAGE * 5, sorted.length - shown.length)} more`);
    more.addEventListener("click", () => {
      tableState.shown += PAGE * 5;
      redraw();
    });
    spot.append(more);
  }
  return spot;
}

const MOST_FAILED = 200;
function drawFailed(place, rows) {
  const failed = rows.filter((row) => !isGood(row));
  if (failed.length === 0) return place.append(note("Nothing: every row is ok."));
  const table = simpleTable(
      `Rows that are not ok: ${failed.length}`, ["status", "machine", "workload", "setting", "stage", "when", "why"],
      failed.slice(0, MOST_FAILED)
          .map(
              (row) =>
                  [outcome(row), machineName(row), workloadName(row), settingName(row), text(row, "stage"),
                   text(row, "time_utc"), text(row, "error")]));
  table.classList.add("failed");
  place.append(table);
  if (failed.length > MOST_FAILED)
    place.append(note(`${countedAre(failed.length - MOST_FAILED, "more row")} in the table of all runs.`));
}

function drawAbout(place) {
  const made = `Made by sdbench ${data.sdbench_version} at ${data.created_utc} from ${counted(data.row_count, "row")}.`;
  place.append(element("p", {}, made));
  if (!data.is_private) {
    place.append(element("p", {}, "Hosts and cards have made-up names; labels, notes, paths and errors are left out."));
  }
  if (data.bad_count > 0) {
    const words = `Rows or files that could not be read and are left out: ${data.bad_count}`;
    place.append(
        data.bad.length > 0 ? element(
                                  "details", {}, element("summary", {}, words),
                                  element("ul", {}, ...data.bad.map((bad) => element("li", {}, bad)))) :
                              element("p", {}, `${words}. They were named when the page was made.`));
  }
}
