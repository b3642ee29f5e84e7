// The answer first: of each workload the fastest machine, and how much faster it is than the next.
const MOST_WORKLOADS = 12;
const MOST_RANKS = 6;

/** How many times faster a is than b, with its 95 % interval, as ratio_of() in src/front/compare/verdict.cpp. */
function ratioOf(a, b) {
  const ratio = {value: a.rate / b.rate, low: null, high: null};
  if (a.error === null || b.error === null) return ratio;
  const [ours, theirs] = [(a.error / a.mean) ** 2, (b.error / b.mean) ** 2];
  const sum = ours + theirs;
  const degrees = sum === 0 ? a.degrees + b.degrees :
                              Math.max(1, Math.floor(sum ** 2 / (ours ** 2 / a.degrees + theirs ** 2 / b.degrees)));
  const reach = Math.exp(t95(degrees) * Math.sqrt(sum));
  return Number.isFinite(reach) ? {...ratio, low: ratio.value / reach, high: ratio.value * reach} : ratio;
}

/** Of the faster a beside b, as verdict_of() in src/front/compare/verdict.cpp: [word, what it rests on]. */
function verdictOf(a, b) {
  if (a.low === null || b.low === null) return ["unclear", "not both have an interval, which takes more runs or rows"];
  if (Math.max(a.high, b.high) <= Math.min(a.low, b.low) * (1 + data.threshold)) return ["same", ""];
  if (a.low <= b.high) return ["unclear", "the intervals overlap"];
  return a.rate / b.rate - 1 < data.threshold ? ["unclear", `the gap is below ${figure(100 * data.threshold)} %`] :
                                                ["faster", ""];
}

/** ", beside other programs on …": a verdict that stands on rows of a busy machine says so. */
function busyWords(best, next, nextName) {
  const names =
      [[best, best.machine], [next, nextName]].filter(([cell]) => cell.flags.includes("busy")).map(([, name]) => name);
  return names.length ? `, beside other programs on ${names.join(" and ")}` : "";
}

/** [whether a is surely faster, the same in words] */
function verdict(best, next, nextName) {
  const ratio = ratioOf(best.speed, next.speed);
  const starts = best.speed.count > 1 && next.speed.count > 1 ? "" : ", within one start";
  const range = ratio.low === null ? "" : ` (95 % ${figure(ratio.low)} to ${figure(ratio.high)}×${starts})`;
  const times = `${figure(ratio.value)}×`;
  const busy = busyWords(best, next, nextName);
  const [word, why] = verdictOf(best.speed, next.speed);
  if (word === "faster") return [true, `${times} the next, ${nextName}${range}${busy}`];
  return [
    false,
    word === "same" ? `The same as ${nextName} within ${figure(100 * data.threshold)} %: ${times}${range}${busy}` :
                      `Not told apart from ${nextName}: ${times}${range}${busy}; ${why}`
  ];
}

/** What stands before the first of two that are not told apart; a name alone says that it is the fastest. */
function doubt(best, next) {
  const [word] = verdictOf(best.speed, next.speed);
  return word === "faster" ? "" : word === "same" ? "The same: " : "Unclear: ";
}

function rankItem(cell, best, metric, isAlone, colour) {
  const bar = element("div", {class: "bar"});
  bar.style.width = `${(100 * cell.speed.rate) / best.speed.rate}%`;
  bar.style.background = colour;
  const flags = cell.flags.length ? element("span", {class: "flags"}, ` (${cell.flags.join(", ")})`) : null;
  return element(
      "li", {},
      isAlone ? `${cell.setting}: ${speed(cell.speed.rate, metric)}` :
                `${cell.machine}: ${speed(cell.speed.rate, metric)}, ${cell.setting}`,
      flags, bar);
}

/** What else tells most of a cell: "iteration 0.0835 s, accuracy 0.93". */
function otherFigures(cell, metric) {
  const {step, figures} = taskOf(cell.first);
  return figures.filter((name) => name !== metric && meanOf(cell.rows, name) !== null)
      .map((name) => {
        const [before, unit] = figureWords(name);
        return [before === "step" ? step : before, figure(meanOf(cell.rows, name)), unit].filter(Boolean).join(" ");
      })
      .join(", ");
}

function answerCard(cells, metric) {
  const machines = bestOfMachines(cells);
  const [best, next] = machines;
  const interval = best.speed.low === null ? "" : ` (95 % ${figure(best.speed.low)} to ${figure(best.speed.high)})`;
  const second = next ?? cells[1];
  const [winner, rest] = next || !second ? [best.machine, best.setting] :
                                           [best.setting, best.machine];  // the question is then which setting
  const card = element(
      "article", {class: "card"}, element("h3", {}, best.workload),
      element("p", {class: "big"}, `${second ? doubt(best, second) : ""}${winner}`),
      element(
          "p", {class: "rate"},
          `${speed(best.speed.rate, metric)}${interval}, ${next || !second ? "with" : "on"} ${rest}`));
  const others = otherFigures(best, metric);
  if (others) card.append(note(`${others}.`));
  if (!next)
    card.append(
        note(second ? "The only machine here, so these are its settings." : "The only machine and setting here."));
  if (second) {
    const [sure, words] = verdict(best, second, next ? next.machine : second.setting);
    card.append(element("p", {class: sure ? "verdict" : "verdict unsure"}, words));
  }
  const ranked = next ? machines : cells;
  const shown = ranked.slice(0, MOST_RANKS);
  const nameOf = (cell) => (next ? cell.machine : ownName(cell));
  const colours = coloursOf(shown.map(nameOf));
  if (shown.length > 1)
    card.append(element(
        "ul", {class: "ranks"},
        ...shown.map((cell) => rankItem(cell, best, metric, !next, colours.get(nameOf(cell))))));
  const hidden = ranked.length - shown.length;
  if (hidden > 0) {
    const areSlower =
        ranked.slice(MOST_RANKS)
            .every((cell) => shown.every((before) => verdictOf(before.speed, cell.speed)[0] === "faster"));
    card.append(note(
        `${counted(hidden, next ? "more machine" : "more setting")}, ${
            areSlower ? "all slower than these" : "of lower means, but not all surely slower"}, in the chart ` +
        "and the table below."));
  }
  return card;
}

/** All workloads in one line, where several machines ran several of them. */
function headline(groups) {
  const contests = groups.map(bestOfMachines).filter((machines) => machines.length > 1);
  if (contests.length < 2) return null;
  const sure = contests.filter(([best, next]) => verdict(best, next, next.machine)[0]);
  const winners = [...new Set(sure.map(([best]) => best.machine))];
  const ratios = contests.map(([best, next]) => best.speed.rate / next.speed.rate);
  if (winners.length === 1 && sure.length === contests.length) {
    return `${winners[0]} is the fastest in all ${contests.length} workloads that more than one machine ran: ${
        figure(Math.min(...ratios))} to ${figure(Math.max(...ratios))}× the next.`;
  }
  const wins = winners.map(
      (name) => `${name} is surely the fastest in ${sure.filter(([best]) => best.machine === name).length}`);
  if (sure.length < contests.length)
    wins.push(`in ${contests.length - sure.length} the first two cannot be told apart`);
  return `Of ${contests.length} workloads that more than one machine ran, ${wins.join(", ")}.`;
}

/** What differs between the machines beside the machine itself. */
function differences(rows) {
  const good = rows.filter(isGood);
  const runtimes = [...new Set(good.map(runtimeName))];
  const fields = [
    [runtimes.length === 1 ? runtimes[0] : "runtime", "runtime_version"], ["driver", "driver_version"],
    ["sdbench", "sdbench_version"], ["engine revision", "engine_revision"], ["weights", "weights"]
  ];
  return fields.map(([name, field]) => [name, distinct(good, field).filter(Boolean)])
      .filter(([, values]) => values.length > 1)
      .map(([name, values]) => `${name} ${values.slice(0, 5).map((value) => shortened(value, 40)).join(" and ")}`);
}

function drawAnswer(place, rows, metric) {
  const groups = byWorkload(cellsOf(rows, metric))
                     .sort(
                         (a, b) => bestOfMachines(b).length - bestOfMachines(a).length ||
                             a[0].workload.localeCompare(b[0].workload, "en", {numeric: true}));
  if (groups.length === 0) {
    place.append(note(`No good row has ${data.metrics[metric].label} here.`));
    return;
  }
  const first = headline(groups);
  if (first) place.append(element("p", {class: "headline"}, first));
  place.append(
      element("div", {class: "cards"}, ...groups.slice(0, MOST_WORKLOADS).map((cells) => answerCard(cells, metric))));
  if (groups.length > MOST_WORKLOADS)
    place.append(note(
        `${countedAre(groups.length - MOST_WORKLOADS, "more workload")} in the charts and the table; the ` +
        "filter above narrows them down."));
  const differing = differences(rows);
  place.append(note(
      `Speed: ${
          data.metrics[metric].meaning}, each machine at its fastest setting; only equal workloads are compared. ` +
      (differing.length ? `Mind what else differs between rows: ${differing.join("; ")}.` : "")));
}

/** After how many images an engine has made up for what it prepares before the first. */
function drawPaid(place) {
  if (data.break_even.length === 0) {
    place.append(note("No two engines here prepare differently long and say how long (prepare_s)."));
    return;
  }
  place.append(
      simpleTable(
          "Images until preparing has paid", ["workload", "the faster one", "beside", "images"],
          data.break_even.map((paid) => [paid.workload, paid.payer, paid.beside, paid.images])),
      note(
          "Images until what the faster engine prepared longer (prepare_s) is made up for by its faster images, with the 95 % " +
          "interval; never: it is not surely faster. The filter does not change these figures."));
}
