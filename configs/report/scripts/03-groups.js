// Names of what was computed, where and how; and the pooling of rows that repeat one measurement.

/** What was computed: `what` without the batch, then `batches`. Leaves out what all rows of a model share. */
function workOf(row) {
  const {name, step, work, makes_images: isOfPictures} = taskOf(row);
  const model = text(row, "model") || "unknown model";
  const size = `${text(row, "width")}x${text(row, "height")}`;
  const [batch, images] = ["batch", "images"].map((field) => text(row, field));
  if (isOfPictures)
    return {
      what: [`${model} ${size}`, counted(text(row, "steps"), "step")],
      batches: [images && images !== batch ? `${images} images in batches of ${batch}` : `batch ${batch}`],
      more: varied(row, work, text(row, "model"))
    };
  return {
    what: [`${model} ${name} ${size}`],
    batches: [`batch ${batch}`, counted(Math.ceil(Number(images) / Number(batch)), step)],
    more: varied(row, [...work, "data"], text(row, "model"))
  };
}
function workWords(row) {
  const {what, batches, more} = workOf(row);
  return [...what, ...batches, ...more].join(", ");
}
const workloadName = (row) => workloadNames.get(data.workload_of_row[row]) ?? workWords(row);

const variedFields = new Map();
/** True if good rows (of the model, if given) differ in a field. Reads all rows once per field. */
function isVaried(name, model = "") {
  if (!variedFields.has(name)) {
    const first = new Map();
    const differing = new Set();
    for (const row of allRows.filter(isGood)) {
      for (const scope of ["", text(row, "model")]) {
        if (!first.has(scope))
          first.set(scope, text(row, name));
        else if (first.get(scope) !== text(row, name))
          differing.add(scope);
      }
    }
    variedFields.set(name, differing);
  }
  return variedFields.get(name).has(model);
}

const ID_DIGITS = 6;
const SAYS_ITSELF = ["attention_used", "scheduler", "memory_format", "os", "cpu", "tags"];
/** The engine's axes, and the environment's settings that act like them. Names leave out an empty value and "auto". */
const AXES = ["attention", ...data.axes, "openmp_config", "instruction_config", "cuda_config"];
const isUsual = (row, name) => AXES.includes(name) && ["", "auto"].includes(text(row, name));
/** The words of line_words() in src/front/compare/table_words.cpp. */
const PLACE_WORDS = {
  host: "on ",
  device_index: "GPU ",
  device_uuid: "card "
};
/** A field's value as part of a name, with the field's own name if the value alone says too little. */
function told(row, name) {
  const value = text(row, name);
  if (name === "engine") return engineTitle(row) || "no engine";
  if (data.card_state_words[name]) return value && data.card_state_words[name].join(value);
  if (PLACE_WORDS[name]) return value && PLACE_WORDS[name] + value;
  if (SAYS_ITSELF.includes(name)) return value || `no ${name}`;
  if (name === "host_memory_bytes") return `host memory ${Math.floor(value / 2 ** 30)} GiB`;  // as in an env_id
  if (name === "runtime_version") return `${runtimeName(row)} ${value || "none"}`;
  const words = name.replace(/_version$|_used$|_id$/, "").replaceAll("_", " ");
  return `${words} ${value.slice(0, name.endsWith("_id") ? ID_DIGITS : undefined) || "none"}`;
}
/** Those of these fields that differ: what all have in common need not be said. */
const varied = (row, names, model) =>
    names.filter((name) => text(row, name) && !isUsual(row, name) && isVaried(name, model))
        .map((name) => told(row, name));

/**
 * A name for each key (each with a row that stands for it), unique within its scope. Equal names get the first of
 * `fields` that tell them apart, as in distinct_names() (src/front/compare/distinct_names.cpp). If all fields are
 * equal, they are numbered.
 */
function distinctNames(rowOfKey, {baseOf, fields, scopeOf = () => ""}) {
  const names = new Map();
  let alike = grouped(rowOfKey.keys(), (key) => `${scopeOf(rowOfKey.get(key))}\n${baseOf(rowOfKey.get(key))}`);
  for (const [key, row] of rowOfKey) names.set(key, baseOf(row));
  const add = (key, word) => {
    if (word) names.set(key, names.get(key) + (word.startsWith("on ") ? " " : ", ") + word);
  };
  for (const field of fields) {
    alike = alike.flatMap((keys) => {
      const parts = grouped(keys, (key) => told(rowOfKey.get(key), field));
      if (parts.length > 1)
        for (const key of keys) add(key, told(rowOfKey.get(key), field));
      return parts.filter((part) => part.length > 1);
    });
  }
  for (const keys of alike) keys.forEach((key, i) => add(key, i > 0 ? `no. ${i + 1}` : ""));
  return names;
}

/** Lists of items with the same key. */
function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return [...groups.values()];
}

function firstRows(keyOf) {
  const rowOfKey = new Map();
  for (const row of allRows)
    if (!rowOfKey.has(keyOf(row)) || !isGood(rowOfKey.get(keyOf(row)))) rowOfKey.set(keyOf(row), row);
  return rowOfKey;
}

function baseName(row) {
  const name = text(row, "device_name") || text(row, "device") || "unknown device";
  const together = number(row, "parallel_devices");
  if (text(row, "parallel_role") === "sum") return `${together ?? "several"} together: ${name}`;
  return text(row, "cpu_share") ? `${name}, share ${text(row, "cpu_share")}` : name;
}

/** Models of one name in two folders are two works of `sdbench compare`; a page without folders numbers them. */
const workloadNames = distinctNames(
    new Map(grouped(
                allRows.filter((row) => isGood(row) && data.workload_of_row[row] !== null),
                (row) => data.workload_of_row[row])
                .map(([row]) => [data.workload_of_row[row], row])),
    {baseOf: workWords, fields: []});

const placeOf = (row) => `${text(row, "env_id") || text(row, "host")}|${baseName(row)}`;
const idOfCard = (row) => text(row, "device_uuid") || text(row, "device_index");
/** How a card was set up, as `sdbench compare` sees it; "" if no row of it tells. */
const stateOf = (row) => data.state_of_row[row];
const rowsByPlace = grouped(allRows, placeOf).map((rows) => [placeOf(rows[0]), rows]);
const cardsOfPlace = new Map(rowsByPlace.map(([place, rows]) => [place, new Set(rows.map(idOfCard).filter(Boolean))]));
const statesOfPlace = new Map(rowsByPlace.map(([place, rows]) => [place, new Set(rows.filter(isGood).map(stateOf))]));
/**
 * The machine of a row. Two cards of one kind in one host are two machines, and so is one card in two states (power
 * limit, ECC, …). If there is only one card or state, a row that failed before it knew its own belongs to that one.
 */
function environmentOf(row) {
  const place = placeOf(row);
  const state = statesOfPlace.get(place).size < 2 ? "" : stateOf(row);
  return [place, ...(cardsOfPlace.get(place).size < 2 ? [] : [idOfCard(row)]), ...(state ? [state] : [])].join("|");
}
/** The names of machines. Fields such as host and driver follow a name if they tell two machines apart. */
const machineNames = distinctNames(firstRows(environmentOf), {
  baseOf: baseName,
  fields: [
    "host", "device_index", "driver_version", "os", "kernel", "cpu", "device_uuid", ...data.card_states,
    "sm_clock_hz_max", ...data.telling, "env_id"
  ]
});
const machineName = (row) => machineNames.get(environmentOf(row));

/** A key of the settings that were asked for, and of the machine. */
const wayOf = (row) => `${environmentOf(row)}|${
        ["variant_id", "engine", "engine_revision", "weights", "tags"].map((name) => text(row, name)).join("|")}`;

/** The names of settings: the dtype, and everything that differs among the rows. Unique within a machine. */
const settingNames = (() => {
  const baseOf = (row) => {
    const names = [...AXES, "data_place", "threads", "engine"];
    return [text(row, "dtype_unet") || "unknown dtype", ...varied(row, names)].join(", ");
  };
  return distinctNames(firstRows(wayOf), {
    baseOf,
    fields: [
      "engine_revision", "runtime_version", "sdbench_version", "weights", "attention_used", "tf32", "share",
      "dtype_text", "tags", ...data.telling, "variant_id"
    ],
    scopeOf: environmentOf
  });
})();

/** The names of pools. Pools of one work, machine and setting may differ, because rows with equal ids may. */
const poolOf = Object.values(data.metrics)[0].pool;
const poolNames = distinctNames(
    new Map(grouped(allRows.filter((row) => poolOf[row] !== null), (row) => poolOf[row])
                .map(([row]) => [poolOf[row], row])),
    {
      baseOf: (row) => settingNames.get(wayOf(row)),
      fields: data.telling,
      scopeOf: (row) => `${environmentOf(row)}|${workloadName(row)}`
    });
const settingName = (row) => poolNames.get(poolOf[row]) ?? settingNames.get(wayOf(row));

/** Student's t for a 95 % interval. Beyond the table, its expansion around the normal distribution. */
function t95(degrees) {
  if (degrees <= data.t95.length) return data.t95[degrees - 1];
  const z = 1.959963985;
  return z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2);
}

/** The reciprocal of a row's rate, with the spread of its timed runs if that is known. */
function timeOf(row, metric) {
  const mean = 1 / number(row, metric);
  const of = data.metrics[metric].run_times.find((name) => number(row, name) > 0);
  const [runMean, runSd] = of ? [number(row, of), number(row, `${of}_sd`)] : [null, null];
  return {
    mean,
    runs: number(row, "repeat") ?? 0,
    sd: runMean > 0 && runSd !== null && runSd >= 0 ? (runSd / runMean) * mean : null
  };
}

/** Places of rows by session, which is one call of sdbench (sweep_id). Rows without one are a session together. */
const sessionsOf = (rows) => grouped(rows.keys(), (place) => text(rows[place], "sweep_id"));

/** The scope of the interval: "one start", "one session", or "" if it is wider. It does not include changes beyond. */
function scopeOf(rows, sessionCount) {
  const saying = rows.filter((row) => text(row, "sweep_id"));
  const starts = new Set(saying.map((row) => `${text(row, "sweep_id")}|${text(row, "restart")}`));
  if (starts.size + rows.length - saying.length < 2) return "one start";
  return saying.length && sessionCount === 1 ? "one session" : "";
}

const averageOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const squaresAround = (values, mean) => values.reduce((sum, value) => sum + (value - mean) ** 2, 0);

/**
 * The rate of rows that repeat one measurement, as in `sdbench compare` (src/front/compare/pooled_figure.cpp). It is
 * the reciprocal of the mean time, in which every session counts once. The 95 % interval is computed for the time, from
 * the spread of timed runs, of rows or of sessions, whichever makes it widest.
 */
function pooledRate(rows, metric) {
  const times = rows.map((row) => timeOf(row, metric));
  const sessions = sessionsOf(rows);
  const means = sessions.map((places) => averageOf(places.map((place) => times[place].mean)));
  const mean = averageOf(means);
  const weights = [];
  for (const places of sessions)
    for (const place of places) weights[place] = 1 / (sessions.length * places.length);
  let error = null;
  let half = Infinity;
  const spread = times.filter((time) => time.sd !== null && time.runs > 1);
  let degrees = spread.reduce((sum, time) => sum + time.runs - 1, 0);
  if (degrees > 0) {
    const variance = spread.reduce((sum, time) => sum + (time.runs - 1) * time.sd ** 2, 0) / degrees;
    const shares = times.reduce((sum, time, place) => sum + weights[place] ** 2 / Math.max(time.runs, 1), 0);
    error = Math.sqrt(variance * shares);
    half = t95(degrees) * error;
  }
  const widen = (count, itsError) => {
    if (error === null || t95(count - 1) * itsError >= half)
      [error, degrees, half] = [itsError, count - 1, t95(count - 1) * itsError];
  };
  if (times.length > 1) {
    const all = times.map((time) => time.mean);
    const variance = squaresAround(all, averageOf(all)) / (times.length - 1);
    widen(times.length, Math.sqrt(variance * weights.reduce((sum, weight) => sum + weight ** 2, 0)));
  }
  if (sessions.length > 1)
    widen(sessions.length, Math.sqrt(squaresAround(means, mean) / (sessions.length - 1) / sessions.length));
  const [low, high] = half < mean ? [1 / (mean + half), 1 / (mean - half)] : [null, null];
  return {rate: 1 / mean, low, high, count: times.length, mean, error, degrees, scope: scopeOf(rows, sessions.length)};
}

/**
 * Groups rows into lines of a table. Rows that repeat one measurement share a line, and so do rows that failed in the
 * same way. A row that was cut short has its own line.
 */
function measurementsOf(rows, metric) {
  return grouped(rows, (row) => {
    const pool = data.metrics[metric].pool[row];
    if (pool !== null) return `pool ${pool}`;
    if (isGood(row) || !standsAlone(row)) return `row ${row}`;
    return [workloadName(row), machineName(row), settingName(row), outcome(row)].join("|");
  });
}

/** The mean of a field, in which every session counts once, as in pooledRate(). */
function meanOf(rows, name) {
  const having = rows.filter((row) => number(row, name) !== null);
  if (having.length === 0) return null;
  return averageOf(sessionsOf(having).map((places) => averageOf(places.map((place) => number(having[place], name)))));
}

/** The figure of rows of one measurement: the pooled rate, the greatest peak, else the mean. Null without values. */
function figureOf(rows, name) {
  const having = rows.filter((row) => number(row, name) !== null);
  if (having.length === 0) return null;
  if (name === "s_per_image") return 60 / pooledRate(having, "images_per_min").rate;
  if (data.metrics[name] && having.every((row) => number(row, name) > 0)) return pooledRate(having, name).rate;
  return name.startsWith("peak_") ? Math.max(...having.map((row) => number(row, name))) : meanOf(having, name);
}

/**
 * Cells of rows that repeat one measurement, as `sdbench compare` pools them. Never pools different workloads,
 * settings, machines, weights or engine revisions, nor runs that were cut short with whole ones.
 */
function cellsOf(rows, metric) {
  const {pool} = data.metrics[metric];
  return grouped(rows.filter((row) => standsAlone(row) && pool[row] !== null), (row) => pool[row])
      .map((members) => ({
             rows: members,
             first: members[0],
             workload: workloadName(members[0]),
             machine: machineName(members[0]),
             setting: settingName(members[0]),
             speed: pooledRate(members, metric),
             flags: [...new Set(members.flatMap((row) => text(row, "flags").split(" ")).filter(Boolean))],
           }));
}

const ownName = (cell) => `${cell.machine}, ${cell.setting}`;

/** Cells by workload, the fastest first in each list. */
const byWorkload = (cells) =>
    grouped(cells, ({workload}) => workload).map((group) => group.sort((a, b) => b.speed.rate - a.speed.rate));

/** Each machine's fastest cell. `cells` must be sorted, the fastest first. */
const bestOfMachines = (cells) => grouped(cells, ({machine}) => machine).map(([best]) => best);
