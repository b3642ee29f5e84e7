// The answer first: of each workload the fastest machine, and how much faster it is than the next.
const MOST_WORKLOADS = 12;
const LEAST_GAP = 0.01;

/**
 * How many times faster a is than b, with a 95 % interval where both have one (independent errors, on the scale of
 * logarithms).
 */
function ratioOf(a, b) {
  const ratio = {value: a.rate / b.rate, low: null, high: null};
  if (a.low !== null && b.low !== null) {
    const down = Math.hypot(Math.log(a.rate / a.low), Math.log(b.high / b.rate));
    const up = Math.hypot(Math.log(a.high / a.rate), Math.log(b.rate / b.low));
    Object.assign(ratio, {low: ratio.value * Math.exp(-down), high: ratio.value * Math.exp(up)});
  }
  return ratio;
}

/** Faster only if the intervals do not touch and the gap is worth a word. */
function verdict(best, next, nextName) {
  const ratio = ratioOf(best.speed, next.speed);
  const times = `${figure(ratio.value)}×`;
  if (ratio.low === null)
    return [false, `${times} the next, ${nextName}: not both have an interval, so this is not sure`];
  const range = `95 % ${figure(ratio.low)} to ${figure(ratio.high)}×`;
  if (best.speed.low > next.speed.high && ratio.value - 1 >= LEAST_GAP)
    return [true, `${times} the next, ${nextName} (${range})`];
  return [false, `Not told apart from ${nextName}: ${times} (${range})`];
}

function rankItem(cell, best, metric, isAlone) {
  const bar = element("div", {class: "bar"});
  bar.style.width = `${(100 * cell.speed.rate) / best.speed.rate}%`;
  bar.style.background = colourOf(isAlone ? ownName(cell) : cell.machine);
  const flags = cell.flags.length ? element("span", {class: "flags"}, ` (${cell.flags.join(", ")})`) : null;
  return element(
      "li", {},
      isAlone ? `${cell.setting}: ${speed(cell.speed.rate, metric)}` :
                `${cell.machine}: ${speed(cell.speed.rate, metric)}, ${cell.setting}`,
      flags, bar);
}

function answerCard(cells, metric) {
  const machines = bestOfMachines(cells);
  const [best, next] = machines;
  const interval = best.speed.low === null ? "" : ` (95 % ${figure(best.speed.low)} to ${figure(best.speed.high)})`;
  const second = next ?? cells[1];
  const [winner, rest] = next || !second ? [best.machine, best.setting] :
                                           [best.setting, best.machine];  // the question is then which setting
  const card = element(
      "article", {class: "card"}, element("h3", {}, best.workload), element("p", {class: "big"}, winner),
      element(
          "p", {class: "rate"},
          `${speed(best.speed.rate, metric)}${interval}, ${next || !second ? "with" : "on"} ${rest}`));
  if (!next)
    card.append(
        note(second ? "The only machine here, so these are its settings." : "The only machine and setting here."));
  if (second) {
    const [sure, words] = verdict(best, second, next ? next.machine : second.setting);
    card.append(element("p", {class: sure ? "verdict" : "verdict unsure"}, words));
  }
  const shown = (next ? machines : cells).slice(0, 6);
  if (shown.length > 1)
    card.append(element("ul", {class: "ranks"}, ...shown.map((cell) => rankItem(cell, best, metric, !next))));
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
  const fields = [
    ["libtorch", "libtorch_version"], ["driver", "driver_version"], ["sdbench", "sdbench_version"],
    ["engine revision", "engine_revision"], ["weights", "weights"]
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
    place.append(note(`No good row has ${METRICS[metric].label} here.`));
    return;
  }
  const first = headline(groups);
  if (first) place.append(element("p", {class: "headline"}, first));
  place.append(
      element("div", {class: "cards"}, ...groups.slice(0, MOST_WORKLOADS).map((cells) => answerCard(cells, metric))));
  if (groups.length > MOST_WORKLOADS)
    place.append(note(`${
        groups.length -
        MOST_WORKLOADS} more workloads are in the charts and the table; the filter above narrows them down.`));
  const differing = differences(rows);
  place.append(note(
      `Speed: ${METRICS[metric].meaning}, each machine at its fastest setting; only equal workloads are compared. ` +
      (differing.length ? `Mind what else differs between rows: ${differing.join("; ")}.` : "")));
}
