// The answer: for each workload the fastest machine, and its lead over the next one.
const MOST_WORKLOADS = 12;
const MOST_RANKS = 6;

/** The ratio of the rates of a and b, with its 95 % interval, as in ratio_of() (src/front/compare/verdict.cpp). */
function ratioOf(a, b) {
  const ratio = {value: a.rate / b.rate, low: null, high: null};
  if (a.error === null || b.error === null) return ratio;
  const [ours, theirs] = [(a.error / a.mean) ** 2, (b.error / b.mean) ** 2];
  const sum = ours + theirs;
  const degrees = sum === 0 ?
      a.degrees + b.degrees :
      Math.max(1, Math.floor(sum ** 2 / (ours ** 2 / a.degrees + theirs ** 2 / b.degrees) + 1e-3));
  const reach = Math.exp(t95(degrees) * Math.sqrt(sum));
  return Number.isFinite(reach) ? {...ratio, low: ratio.value / reach, high: ratio.value * reach} : ratio;
}

/** The verdict on the faster a against b, as in verdict_of() (src/front/compare/verdict.cpp). */
function verdictOf(a, b) {
  if (a.low === null || b.low === null) return "unclear";
  if (Math.max(a.high, b.high) <= Math.min(a.low, b.low) * (1 + data.threshold)) return "same";
  return a.low <= b.high || a.rate / b.rate - 1 < data.threshold ? "unclear" : "faster";
}

// The wording is that of src/front/compare/answer.cpp, so that page and terminal agree.
const percentWords = (fraction) => `${Number((100 * fraction).toPrecision(6))} %`;

/** The words before the first name if no machine is surely faster; else empty. */
const doubtWords = (best, next) =>
    ({faster: "",
      same: `the same within ${percentWords(data.threshold)}: `,
      unclear: "unclear: "})[verdictOf(best, next)];

/** Why a verdict is unclear, and what would make it clear. */
function unclearWords([best, name], [next, nextName]) {
  if (best.low === null || next.low === null)
    return `${
               best.low === null ? name :
                                   nextName} has no usable 95 % interval (too few runs, or wider than the mean); ` +
        "more timed runs or rows give one";
  return best.low <= next.high ? "the 95 % intervals overlap; more rows (--restarts) narrow them" :
                                 `the gap is below ${percentWords(data.threshold)}`;
}

/** ", within one start", ", within one start of A and one session of B" */
function withinWords([best, name], [next, nextName]) {
  if (best.scope === next.scope) return best.scope ? `, within ${best.scope}` : "";
  const words = [[best.scope, name], [next.scope, nextName]].filter(([scope]) => scope);
  return `, within ${words.map(([scope, whose]) => `${scope} of ${whose}`).join(" and ")}`;
}

/** ", beside other programs on A": marks a verdict that uses rows of a busy machine. */
function busyWords([best, name], [next, nextName]) {
  const names =
      [[best, name], [next, nextName]].filter(([cell]) => cell.flags.includes("busy")).map(([, whose]) => whose);
  return names.length ? `, beside other programs${names.length === 1 ? ` on ${names[0]}` : ""}` : "";
}

/** "1.25 times as fast as B (1.23 to 1.27)", and why that is unclear if it is. */
function standingWords(best, next, nameOf) {
  const sides = [[best.speed, nameOf(best)], [next.speed, nameOf(next)]];
  const ratio = ratioOf(best.speed, next.speed);
  const range = ratio.low === null ? "" : ` (${figure(ratio.low)} to ${figure(ratio.high)}${withinWords(...sides)})`;
  const words = `${figure(ratio.value)} times as fast as ${nameOf(next)}${range}${
      busyWords([best, nameOf(best)], [next, nameOf(next)])}`;
  return verdictOf(best.speed, next.speed) === "unclear" ? `${words}: ${unclearWords(...sides)}` : words;
}

/**
 * "RTX 3060: OOM in sdxl batch 4", by workload and machine. Where the machine has a figure of that workload
 * in another setting, the setting that failed is named.
 */
function failureLines(rows, cells) {
  const hasFigure = (row) =>
      cells.some((cell) => cell.machine === machineName(row) && cell.workload === workloadName(row));
  const failed = rows.filter((row) => !isGood(row) && standsAlone(row) && !(contradictsItself(row) && hasFigure(row)));
  return grouped(failed, (row) => [workloadName(row), machineName(row), outcome(row)].join("|")).map((members) => {
    const [row] = members;
    const workload = workloadName(row);
    const settings = [...new Set(members.map(settingName))];
    const work = `${text(row, "model")} batch ${text(row, "batch")}`;
    const what = contradictsItself(row) ? "each row contradicts itself" : outcomeWords(row);
    return {
      workload,
      words: `${machineName(row)}: ${what} in ${work}${hasFigure(row) ? `, ${settings.join("; ")}` : ""}`
    };
  });
}

function rankItem(cell, words, best, metric, colour) {
  const bar = element("div", {class: "bar"});
  bar.style.width = `${(100 * cell.speed.rate) / best.speed.rate}%`;
  bar.style.background = colour;
  const flags = cell.flags.length ? element("span", {class: "flags"}, ` (${cell.flags.join(", ")})`) : null;
  const others = taskOf(cell.first).makes_images ? otherFigures(cell, metric) : [];
  const figures = [speed(cell.speed.rate, metric, best.speed.rate), ...others];
  return element("li", {}, `${words[0]}: `, ...unbroken(figures), ["", ...words.slice(1)].join(", "), flags, bar);
}

/** Figures with commas between them; none breaks at its "/". */
const unbroken = (figures) =>
    figures.flatMap((words, i) => [...(i > 0 ? [", "] : []), element("span", {class: "figure"}, words)]);

/** The other figures that its task names as most important: ["iteration 83.5 ms", "accuracy 0.930"] */
function otherFigures(cell, metric) {
  const {step, figures} = taskOf(cell.first);
  return figures.filter((name) => name !== metric && figureOf(cell.rows, name) !== null)
      .map((name) => figureText(name, figureOf(cell.rows, name)).replace(/^step/, step));
}

/**
 * The stages of a run with their seconds, and the time between them, as in stages_of() (src/front/compare/notes.cpp).
 */
function stagesOf(cell) {
  const known = taskOf(cell.first).parts.map((part) => [`${part}_s`, meanOf(cell.rows, `${part}_s`)]);
  const stages = known.map(([name, seconds]) => ({name, seconds: seconds ?? 0}));
  const whole = meanOf(cell.rows, "e2e_s");
  if (whole !== null && known.every(([, seconds]) => seconds !== null))
    stages.push({name: "the time between the stages", seconds: known.reduce((rest, [, part]) => rest - part, whole)});
  return stages;
}

/** A remark if UNet it/s ranks two cells differently than images/min, with the stage that causes it; else "". */
function rankRemark(ranked, nameOf, metric) {
  if (metric !== "images_per_min") return "";
  const having = ranked.filter((cell) => figureOf(cell.rows, "unet_it_s") !== null);
  const rateOf = (cell) => figureOf(cell.rows, "unet_it_s");
  const at = having.findIndex((cell, i) => i > 0 && rateOf(cell) > rateOf(having[i - 1]) * (1 + data.threshold));
  if (at < 0) return "";
  const [ahead, behind] = [having[at - 1], having[at]];
  const there = new Map(stagesOf(ahead).map(({name, seconds}) => [name, seconds]));
  const longer = ({name, seconds}) => seconds - (there.get(name) ?? 0);
  const worst = stagesOf(behind).reduce((most, stage) => (longer(stage) > longer(most) ? stage : most));
  return `${nameOf(behind)} has more UNet it/s than ${nameOf(ahead)}, but fewer images/min: ${worst.name} is ${
      timeWords(worst.seconds)} of a run, and there ${timeWords(there.get(worst.name) ?? 0)}.`;
}

const MOST_FAILURES = 8;
/** The failures as a list. */
function failureList(failures) {
  const more = failures.length - MOST_FAILURES;
  return element(
      "ul", {class: "failures"}, ...failures.slice(0, MOST_FAILURES).map(({words}) => element("li", {}, words)),
      more > 0 ? element("li", {}, `${counted(more, "more line")} under What failed`) : null);
}

function answerCard(cells, metric, failures) {
  const machines = bestOfMachines(cells);
  const [best, next] = machines;
  const interval = best.speed.low === null ? "" : ` (95 % ${figure(best.speed.low)} to ${figure(best.speed.high)})`;
  const second = next ?? cells[1];
  const [winner, rest] = next || !second ? [best.machine, best.setting] :
                                           [best.setting, best.machine];  // with one machine, settings compete
  const card = element(
      "article", {class: "card"}, element("h3", {}, best.workload),
      element("p", {class: "big"}, `${second ? doubtWords(best.speed, second.speed) : ""}${winner}`),
      element(
          "p", {class: "rate"},
          `${speed(best.speed.rate, metric)}${interval}, ${next || !second ? "with" : "on"} ${rest}`));
  const others = otherFigures(best, metric);
  if (others.length) card.append(note(...unbroken(others), "."));
  if (!next)
    card.append(
        note(second ? "The only machine here, so these are its settings." : "The only machine and setting here."));
  if (second) {
    const sure = verdictOf(best.speed, second.speed) === "faster";
    card.append(element(
        "p", {class: sure ? "verdict" : "verdict unsure"},
        standingWords(best, second, (cell) => (next ? cell.machine : cell.setting))));
  }
  const ranked = next ? machines : cells;
  const shown = ranked.slice(0, MOST_RANKS);
  const nameOf = (cell) => (next ? cell.machine : ownName(cell));
  const colours = coloursOf(shown.map(nameOf));
  const isOneSetting = ranked.every((cell) => cell.setting === best.setting);  // if so, it is shown above
  const wordsOf = (cell) => (next ? [cell.machine, ...(isOneSetting ? [] : [cell.setting])] : [cell.setting]);
  if (shown.length > 1)
    card.append(element(
        "ul", {class: "ranks"},
        ...shown.map((cell) => rankItem(cell, wordsOf(cell), best, metric, colours.get(nameOf(cell))))));
  const hidden = ranked.length - shown.length;
  if (hidden > 0) {
    const areSlower = ranked.slice(MOST_RANKS)
                          .every((cell) => shown.every((before) => verdictOf(before.speed, cell.speed) === "faster"));
    card.append(element(
        "p", {class: "note screen"},
        `${counted(hidden, next ? "more machine" : "more setting")}, ${
            areSlower ? "slower than these" :
                        "slower by the mean, but not surely"}, in the chart and the table below.`));
  }
  const remark = rankRemark(ranked, nameOf, metric);
  if (remark) card.append(note(remark));
  if (failures.length) card.append(failureList(failures));
  return card;
}

/** One line about all workloads, if several machines ran several of them. */
function headline(groups) {
  const contests = groups.map(bestOfMachines).filter((machines) => machines.length > 1);
  if (contests.length < 2) return null;
  const sure = contests.filter(([best, next]) => verdictOf(best.speed, next.speed) === "faster");
  const winners = [...new Set(sure.map(([best]) => best.machine))];
  const ratios = contests.map(([best, next]) => best.speed.rate / next.speed.rate);
  if (winners.length === 1 && sure.length === contests.length) {
    const range = [...new Set([Math.min(...ratios), Math.max(...ratios)].map(figure))].join(" to ");
    return `${winners[0]} is the fastest in all ${contests.length} workloads that more than one machine ran: ${
        range} times as fast as the next.`;
  }
  const wins = winners.map(
      (name) => `${name} is surely the fastest in ${sure.filter(([best]) => best.machine === name).length}`);
  if (sure.length < contests.length)
    wins.push(`in ${contests.length - sure.length} the first two cannot be told apart`);
  return `Of ${contests.length} workloads that more than one machine ran, ${wins.join(", ")}.`;
}

/** Differences between the rows other than the machine. */
function differences(rows) {
  const good = rows.filter(isGood);
  const runtimes = [...new Set(good.map(runtimeName))];
  const fields = [
    [runtimes.length === 1 ? runtimes[0] : "runtime", "runtime_version"], ["driver", "driver_version"],
    ["sdbench", "sdbench_version"], ["weights", "weights"]
  ];
  const ofEngines =
      grouped(good, engineTitle).map((own) => [`${engineTitle(own[0])} revision`, "engine_revision", own]);
  return [...fields, ...ofEngines]
      .map(([name, field, own = good]) => [name, distinct(own, field).filter(Boolean)])
      .filter(([, values]) => values.length > 1)
      .map(([name, values]) => `${name} ${values.slice(0, 5).map((value) => shortened(value, 40)).join(" and ")}`);
}

function drawAnswer(place, rows, metric) {
  const all = cellsOf(rows, metric);
  const failures = failureLines(rows, all);
  const groups = byWorkload(all).sort(
      (a, b) => bestOfMachines(b).length - bestOfMachines(a).length ||
          a[0].workload.localeCompare(b[0].workload, "en", {numeric: true}));
  if (groups.length === 0) {
    place.append(note(`No good row has ${data.metrics[metric].label} here.`));
    if (failures.length) place.append(failureList(failures));
    return;
  }
  const first = headline(groups);
  if (first) place.append(element("p", {class: "headline"}, first));
  place.append(element(
      "div", {class: "cards"},
      ...groups.slice(0, MOST_WORKLOADS)
          .map((cells) => answerCard(cells, metric, failures.filter(({workload}) => workload === cells[0].workload)))));
  const ofNoCard = failures.filter(({workload}) => !groups.some(([cell]) => cell.workload === workload));
  if (ofNoCard.length) place.append(note("No machine has a figure of these:"), failureList(ofNoCard));
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

const MOST_PAID = 20;
/** Draws the number of images after which a faster engine has made up for its longer preparation. */
function drawPaid(place) {
  if (data.break_even.length === 0) {
    place.append(note("No two engines here prepare differently long on one machine and say how long (prepare_s)."));
    return;
  }
  const shown = data.break_even.slice(0, MOST_PAID);
  place.append(
      simpleTable(
          "Images until preparing has paid", ["workload", "the faster one", "beside", "images"],
          shown.map((paid) => [paid.workload, paid.payer, paid.beside, paid.images])),
      note(
          "Images until what the faster engine prepared longer (prepare_s) is made up for by its faster images, with the 95 % " +
          "interval; never: it is not surely faster. The filter does not change these figures." +
          (shown.length < data.break_even.length ?
               ` ${
                   countedAre(
                       data.break_even.length - shown.length, "more line")} left out; sdbench compare shows all.` :
               "")));
}
