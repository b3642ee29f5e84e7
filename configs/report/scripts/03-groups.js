// Names of what was computed, where and how; and the pooling of rows that repeat one measurement.

function workloadName(row) {
  const images = text(row, "images");
  const model = `${text(row, "model") || "unknown model"} ${text(row, "width")}×${text(row, "height")}`;
  const parts = [model, `${text(row, "steps")} steps`, `batch ${text(row, "batch")}`];
  if (images && images !== text(row, "batch")) parts.push(`${images} images`);
  return parts.concat(varied(row, ["guidance", "scheduler", "timestep_spacing"], text(row, "model"))).join(", ");
}

const variedFields = new Map();
/** Whether good rows (of one model, if one is given) differ in a field. One pass over the rows for a field. */
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

const SAYS_ITSELF = ["attention_used", "label", "engine", "scheduler", "memory_format"];
/** "name value" of the fields that differ: what all have in common need not be said. */
function varied(row, names, model) {
  return names.filter((name) => text(row, name) && isVaried(name, model))
      .map(
          (name) =>
              (SAYS_ITSELF.includes(name) ?
                   text(row, name) :
                   `${name.replace(/_version$|_used$/, "").replaceAll("_", " ")} ${text(row, name)}`));
}

/** How it was done: the dtype, and whatever differs among the rows. */
function settingName(row) {
  const unet = text(row, "dtype_unet");
  const vae = text(row, "dtype_vae");
  const names = [
    "attention_used", "memory_format", "tf32_used", "cudnn_benchmark", "offload", "vae_tiling", "threads", "engine",
    "engine_revision", "libtorch_version", "sdbench_version", "label"
  ];
  return [unet || "unknown dtype", ...(vae && unet && vae !== unet ? [`VAE ${vae}`] : []), ...varied(row, names)].join(
      ", ");
}

/** Machines by name, with what tells two of one name apart (driver, host, …) behind it. */
const machineNames = (() => {
  const envsOfName = new Map();
  for (const row of allRows) {
    const name = baseName(row);
    if (!envsOfName.has(name)) envsOfName.set(name, new Map());
    envsOfName.get(name).set(environmentOf(row), row);
  }
  const names = new Map();
  for (const [name, environments] of envsOfName) {
    const rows = [...environments.values()];
    const telling = ["host", "driver_version", "os", "kernel", "cpu", "device_uuid"]
                        .filter((field) => distinct(rows, field).length > 1)
                        .slice(0, 2);
    for (const [environment, row] of environments) {
      const marks = telling.map((field) => text(row, field) || `no ${field}`);
      names.set(
          environment,
          rows.length > 1 ? `${name} (${(marks.length ? marks : [environment.slice(0, 6)]).join(", ")})` : name);
    }
  }
  return names;
})();

function baseName(row) {
  const name = text(row, "device_name") || text(row, "device") || "unknown device";
  const together = number(row, "parallel_devices");
  if (text(row, "parallel_role") === "sum") return `${together ?? "several"} together: ${name}`;
  return text(row, "cpu_share") ? `${name}, share ${text(row, "cpu_share")}` : name;
}
function environmentOf(row) { return `${text(row, "env_id") || text(row, "host")} ${baseName(row)}`; }
const machineName = (row) => machineNames.get(environmentOf(row));

/** Student's t for a 95 % interval of n samples. */
const t95 = (n) => data.t95[Math.min(n - 1, data.t95.length) - 1];

/**
 * The rate of rows that repeat one measurement: the reciprocal of the mean time, with a 95 % interval made on the scale
 * of time. One row gives its own interval; two span both of theirs; from three on it is the spread between them.
 */
function pooledRate(rows, metric) {
  const rates = rows.map((row) => number(row, metric)).filter((rate) => rate > 0);
  if (rates.length === 0) return null;
  const times = rates.map((rate) => 1 / rate);
  const mean = times.reduce((a, b) => a + b, 0) / times.length;
  const pooled = {rate: 1 / mean, low: null, high: null, count: rates.length};
  if (times.length >= 3) {
    const sd = Math.sqrt(times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (times.length - 1));
    const half = (t95(times.length) * sd) / Math.sqrt(times.length);
    if (half < mean) Object.assign(pooled, {low: 1 / (mean + half), high: 1 / (mean - half)});
  } else {
    const lows = rows.map((row) => number(row, `${metric}_ci95_low`));
    const highs = rows.map((row) => number(row, `${metric}_ci95_high`));
    if (lows.concat(highs).every((end) => end > 0))
      Object.assign(pooled, {low: Math.min(...lows), high: Math.max(...highs)});
  }
  return pooled;
}

function meanOf(rows, name) {
  const values = rows.map((row) => number(row, name)).filter((value) => value !== null);
  return values.length ? values.reduce((a, b) => a + b, 0) / values.length : null;
}

/** Good rows, pooled where they repeat one measurement: never two workloads, settings, machines or engine revisions. */
function cellsOf(rows, metric) {
  const groups = new Map();
  for (const row of rows.filter((candidate) => isGood(candidate) && standsAlone(candidate))) {
    const key = ["workload_id", "variant_id", "engine", "engine_revision", "weights", "label"]
                    .map((name) => text(row, name))
                    .join("|") +
        `|${workloadName(row)}|${environmentOf(row)}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  return [...groups.values()]
      .map((members) => ({
             rows: members,
             first: members[0],
             workload: workloadName(members[0]),
             workloadKey: `${text(members[0], "workload_id")}|${workloadName(members[0])}`,
             machine: machineName(members[0]),
             setting: settingName(members[0]),
             speed: pooledRate(members, metric),
             flags: [...new Set(members.flatMap((row) => text(row, "flags").split(" ")).filter(Boolean))],
           }))
      .filter((cell) => cell.speed);
}

const ownName = (cell) => `${cell.machine}, ${cell.setting}`;

/** Cells by workload, each list from the fastest on. */
function byWorkload(cells) {
  const groups = new Map();
  for (const cell of cells) {
    if (!groups.has(cell.workloadKey)) groups.set(cell.workloadKey, []);
    groups.get(cell.workloadKey).push(cell);
  }
  for (const group of groups.values()) group.sort((a, b) => b.speed.rate - a.speed.rate);
  return [...groups.values()];
}

/** Of each machine its fastest cell; `cells` from the fastest on. */
function bestOfMachines(cells) {
  const best = new Map();
  for (const cell of cells)
    if (!best.has(cell.machine)) best.set(cell.machine, cell);
  return [...best.values()];
}
