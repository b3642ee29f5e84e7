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

/** True for a row that contradicts itself, whose figures are not believed anywhere. */
const contradictsItself = (row) => text(row, "flags").split(" ").includes("contradicts_itself");
const outcome = (row) => contradictsItself(row) ? "contradicts itself" : text(row, "status") || "unknown status";
/** As people read it: "OOM", whatever memory it was. */
const outcomeWords = (row) => outcome(row).startsWith("oom") ? "OOM" : outcome(row).replaceAll("_", " ");
const isGood = (row) => outcome(row) === "ok";
/** False for a device's part of a parallel execution, which has no speed of its own: its partners share the work. */
const standsAlone = (row) => text(row, "parallel_role") !== "device";

/** The engine's title, which every table shows; the data have the record's name. */
const engineTitle = (row) => data.own_engines[text(row, "engine")] ?? text(row, "engine");
/** The runtime that a row's runtime_version belongs to. Our engines compute with libtorch. */
function runtimeName(row) { return text(row, "engine") in data.own_engines ? "libtorch" : "runtime"; }

/** The row's entry in the table of tasks; the first one for rows without a task. */
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

/** The distinct values of a field among rows, in order of appearance. */
function distinct(rows, name) { return [...new Set(rows.map((row) => text(row, name)))]; }

/** The keys and values of tags such as "limit=200 cooler=air". */
const tagsOf = (row) => new Map(text(row, "tags").split(" ").filter(Boolean).map((tag) => tag.split(/=(.*)/s)));

/**
 * Rows that the filter shows. Words must stand in the row (whatever the case); "field=value" and "tag:key=value"
 * compare one field or tag ("!=": it differs; * and ? are wildcards, as in --filter). A text with blanks stands in
 * double quotes.
 */
function matching(rows, filter) {
  const words = (filter.match(/(?:[^\s"]+|"[^"]*"?)+/g) || []).map((word) => word.replaceAll("\"", "").toLowerCase());
  const tests = words.map((word) => {
    const [, prefix, name, not, value] = word.match(/^(tag:)?(\w+)(!?)=(.*)$/s) ?? [];
    const valueOf = (row) => (prefix ? tagsOf(row).get(name) ?? "" : text(row, name)).toLowerCase();
    if (prefix || columns.has(name)) {
      const literal = value.replace(/[\\^$.+()[\]{}|]/g, "\\$&");
      const pattern = new RegExp(`^${literal.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
      return (row) => pattern.test(valueOf(row)) !== Boolean(not);
    }
    return (row) => textOfRow(row).includes(word);
  });
  return rows.filter((row) => tests.every((test) => test(row)));
}

const rowTexts = [];
/**
 * The text in which bare words are looked up: names, settings and remarks. Not ids, and not the instruction sets of a
 * CPU, because "amx_bf16" is not a dtype that was used.
 */
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
