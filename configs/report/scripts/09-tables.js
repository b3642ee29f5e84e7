// All runs as a sortable table with pages; failures; the sources of this page.
const PAGE = 100;
const tableState = {
  sort: "workload",
  down: false,
  shown: PAGE,
  columns: null
};

const MADE_COLUMNS = {
  machine: {label: "machine", value: machineName},
  workload: {label: "workload", value: workloadName},
  setting: {label: "setting", value: settingName},
};
/** The columns shown at first: the most important fields of the rows' tasks, as far as rows have them. */
function usualColumns(areRowsPooled) {
  const tasks = new Set(allRows.map(taskOf));
  const names = [
    "machine", "workload", "setting", ...data.tasks.filter((task) => tasks.has(task)).flatMap(({figures}) => figures),
    "status", "j_per_image", "peak_device_allocated_bytes", "peak_host_bytes", ...(areRowsPooled ? ["rows"] : []),
    "flags", "time_utc", "label", "note"
  ];
  return [...new Set(names)].filter((name) => MADE_COLUMNS[name] || name === "rows" || columns.has(name));
}

const WIDE = ["machine", "workload", "setting", "note", "error"];

const isNumeric = (name) => name === "rows" || Boolean(columns.get(name)?.numbers);
const valueOfRow = (row, name) =>
    (MADE_COLUMNS[name]    ? MADE_COLUMNS[name].value(row) :
         name === "status" ? outcomeWords(row) :
         isNumeric(name)   ? number(row, name) :
                             text(row, name));
const MOST_VALUES = 2;
/** The value of a line's only row. For several rows, the pooled figure or the distinct values. */
function cellValue(line, name) {
  if (name === "rows") return line.length;
  if (line.length === 1) return valueOfRow(line[0], name);
  if (isNumeric(name)) return figureOf(line, name);
  const values = [...new Set(line.map((row) => valueOfRow(row, name)))].filter(Boolean);
  return values.length > MOST_VALUES ? `${values.length} values` : values.join(", ");
}

function columnLabel(name) {
  if (MADE_COLUMNS[name] || name === "rows") return name;
  const [words, unit] = figureWords(name);
  return [words.replace(/_bytes$/, ""), unit === "bytes" ? "GiB" : unit].filter(Boolean).join(", ");
}
function shownValue(line, name) {
  const value = cellValue(line, name);
  if (!isNumeric(name)) return value;
  if (value === null) return "";
  if (name.endsWith("_bytes")) return figure(value / 2 ** 30);
  return (name === "rows" || columns.get(name).is_whole) && Number.isInteger(value) ? String(value) : figure(value);
}

/** Sorts lines. Absent values are last in either direction; equal lines keep their order. */
function sortedLines(all, name, down) {
  const values = new Map(all.map((line) => [line, cellValue(line, name)]));
  const isEmpty = (value) => value === null || value === "";
  return [...all].sort((a, b) => {
    const [x, y] = [values.get(a), values.get(b)];
    if (isEmpty(x) || isEmpty(y)) return isEmpty(x) - isEmpty(y);
    const order = typeof x === "number" ? x - y : inOrderOfWords.compare(x, y);
    return down ? -order : order;
  });
}
/** Puts "batch 4" before "batch 16". */
const inOrderOfWords = new Intl.Collator("en", {numeric: true});

function drawRuns(place, rows, metric) {
  tableState.columns ??= usualColumns(measurementsOf(allRows, metric).length < allRows.length);
  const pooled = measurementsOf(rows, metric);
  const choices = ["for each measurement", ...(pooled.length < rows.length ? ["for each row"] : [])];
  chooser(place, "A line ", choices, (choice, part) => {
    const spot = element("div", {});
    const all = sortedLines(choice === 0 ? pooled : rows.map((row) => [row]), metric, true);  // the fastest first
    const redraw = () => spot.replaceChildren(runsTable(all, redraw));
    part.append(
        element("p", {class: "note screen"}, "A heading sorts, and sorts the other way when it is pressed again."),
        columnChooser(redraw), spot);
    redraw();
  });
}

function columnChooser(redraw) {
  const boxes = [...Object.keys(MADE_COLUMNS), "rows", ...columns.keys()].map((name) => {
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
        ?.focus();  // keeps the keyboard's place in the new table
  });
  return element(
      "th", {
        scope: "col",
        "data-field": name,
        "aria-sort": isSorted ? (tableState.down ? "descending" : "ascending") : "none",
        ...(isNumeric(name) ? {class: "number"} : {})
      },
      isOnPaper() ? columnLabel(name) : button);  // Chromium repeats a heading on the next sheet, but no button in it
}

function runsTable(all, redraw) {
  const sorted = sortedLines(all, tableState.sort, tableState.down);
  const shown = sorted.slice(0, tableState.shown);
  const table = element(
      "table", {},
      element(
          "caption", {},
          `${shown.length} of ${counted(all.length, all.some((line) => line.length > 1) ? "measurement" : "row")}`),
      element("thead", {}, element("tr", {}, ...tableState.columns.map((name) => headerCell(name, redraw)))),
      element(
          "tbody", {},
          ...shown.map(
              (line) => element(
                  "tr", {},
                  ...tableState.columns.map(
                      (name) => element(
                          "td",
                          {class: isNumeric(name)  ? "number" :
                               WIDE.includes(name) ? "wide" :
                                                     "",
                           "data-field": name},
                          String(shownValue(line, name))))))));
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
function drawFailed(place, rows, metric) {
  const failed = measurementsOf(rows.filter((row) => !isGood(row)), metric);
  if (failed.length === 0) return place.append(note("Nothing: every row is ok."));
  const table = simpleTable(
      `Rows that are not ok: ${failed.flat().length}`,
      ["status", "machine", "workload", "setting", "stage", "rows", "when", "why"],
      failed.slice(0, MOST_FAILED)
          .map(
              (line) =>
                  [outcomeWords(line[0]), machineName(line[0]), workloadName(line[0]), settingName(line[0]),
                   cellValue(line, "stage"), line.length, text(line[0], "time_utc"), cellValue(line, "error")]));
  table.classList.add("failed");
  place.append(table);
  if (failed.length > MOST_FAILED)
    place.append(note(`${countedAre(failed.length - MOST_FAILED, "more line")} in the table of all runs.`));
}

/** `absent`: headings of sections that have nothing to show, with what would fill them. */
function drawAbout(place, rows, metric, absent) {
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
  if (absent.length > 0)
    place.append(element(
        "details", {class: "absent"}, element("summary", {}, `Sections that have nothing to show: ${absent.length}`),
        element(
            "ul", {}, ...absent.map(([name, words]) => element("li", {}, element("strong", {}, name), ` ${words}`)))));
}
