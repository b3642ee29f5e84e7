// The records, by columns, as the C++ side wrote them (src/front/report/report_data.cpp).
const data = JSON.parse(document.getElementById("data").textContent);
const columns = new Map(data.columns.map((column) => [column.name, column]));
const allRows = Array.from({length: data.row_count}, (_, row) => row);

/** The number of a field, or null where it is absent. */
function number(row, name) {
  const column = columns.get(name);
  return column && column.numbers ? column.numbers[row] : null;
}

/** Any field as text; absent: "". */
function text(row, name) {
  const column = columns.get(name);
  if (!column) return "";
  if (column.texts) return column.texts[column.index[row]];
  const value = column.numbers[row];
  return value === null ? "" : String(value);
}

/** Such a row's figures are believed nowhere. */
const contradictsItself = (row) => text(row, "flags").split(" ").includes("contradicts_itself");
const outcome = (row) => contradictsItself(row) ? "contradicts itself" : text(row, "status") || "unknown status";
/** As people read it: "OOM", whatever memory it was. */
const outcomeWords = (row) => outcome(row).startsWith("oom") ? "OOM" : outcome(row).replaceAll("_", " ");
const isGood = (row) => outcome(row) === "ok";
/** A device's part of a parallel execution is no speed of its own: its partners share the work. */
const standsAlone = (row) => text(row, "parallel_role") !== "device";

/** The engine as every table shows it; in the data it has the record's name. */
const engineTitle = (row) => data.own_engines[text(row, "engine")] ?? text(row, "engine");
/** What a row's runtime_version is the version of: our engines compute with libtorch. */
function runtimeName(row) { return text(row, "engine") in data.own_engines ? "libtorch" : "runtime"; }

/** What was done, as the table of tasks has it; the first is that of rows which do not say. */
const taskOf = (row) => data.tasks.find(({name}) => name === text(row, "task")) ?? data.tasks[0];

// The time of one image is shown with its rate, as in `sdbench compare`; the record has no such field.
const isOfImages = (row) => taskOf(row).makes_images && number(row, "unet_it_s") !== null;
columns.set("s_per_image", {
  name: "s_per_image",
  words: "",
  unit: "s/image",
  meaning: "Seconds for an image, from prompt to pixels: 60 / images_per_min.",
  numbers: allRows.map(
      (row) => (isOfImages(row) && number(row, "images_per_min") > 0 ? 60 / number(row, "images_per_min") : null))
});
for (const task of data.tasks.filter((task) => task.makes_images))
  task.figures = task.figures.flatMap(
      (name) =>
          (name === "images_per_min" ? [name, "s_per_image"] :
               name === "e2e_s"      ? [] :
                                       [name]));

/** Values of a field among rows that differ, in order of appearance. */
function distinct(rows, name) { return [...new Set(rows.map((row) => text(row, name)))]; }

/** Of "limit=200 cooler=air" each key with its value. */
const tagsOf = (row) => new Map(text(row, "tags").split(" ").filter(Boolean).map((tag) => tag.split(/=(.*)/s)));

/**
 * Rows that the filter shows. Words must stand in the row (whatever the case); "field=value" and "tag:key=value"
 * compare one field or tag ("!=": it differs), and a text with blanks stands in double quotes.
 */
function matching(rows, filter) {
  const words = (filter.match(/(?:[^\s"]+|"[^"]*"?)+/g) || []).map((word) => word.replaceAll("\"", "").toLowerCase());
  const tests = words.map((word) => {
    const [, prefix, name, not, value] = word.match(/^(tag:)?(\w+)(!?)=(.*)$/s) ?? [];
    const valueOf = (row) => (prefix ? tagsOf(row).get(name) ?? "" : text(row, name)).toLowerCase();
    if (prefix || columns.has(name)) return (row) => (valueOf(row) === value) !== Boolean(not);
    return (row) => textOfRow(row).includes(word);
  });
  return rows.filter((row) => tests.every((test) => test(row)));
}

const rowTexts = [];
/** What a bare word is looked for in: names, settings and remarks, but no ids; "amx_bf16" is no dtype that was used. */
function textOfRow(row) {
  rowTexts[row] ??=
      [
        "device_name", "host", "label", "note", "model", "weights", "dtype_unet", "attention_used", "status", "flags",
        "error", "engine", "scheduler", "noise_levels", "runtime_version", "driver_version", "time_utc", "file"
      ].map((name) => text(row, name))
          .join(" ")
          .toLowerCase() +
      ` ${text(row, "width")}x${text(row, "height")}` +
      (text(row, "device_kind") === "cpu" ? "" : ` ${text(row, "device_arch").toLowerCase()}`);
  return rowTexts[row];
}
