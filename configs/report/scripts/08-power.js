// Speed and energy over the configured power limit: rows of one card, work and setting at several limits.

const limitPlace = data.card_states.indexOf("power_limit_w");
const statesOf = (row) => stateOf(row).split("|");
/** The power limit in W; NaN if no row of the card tells. */
const limitOf = (row) => Number(statesOf(row)[limitPlace] || NaN);
const limitOfCell = ({first}) => limitOf(first);

/** The key that all points of a curve share: all that tells machines and settings apart, except limit and tags. */
const curveOf = (row) => [workloadName(row), placeOf(row), idOfCard(row),
                          ...statesOf(row).filter((_, place) => place !== limitPlace),
                          ...["variant_id", "engine", "engine_revision", "weights"].map((name) => text(row, name))]
                             .join("|");

/**
 * The tags that split the rows of one curve. A tag with a single value under each limit (such as "limit=200") only
 * repeats the limit, so it splits nothing.
 */
function partingTags(rows) {
  const keys = new Set(rows.flatMap((row) => [...tagsOf(row).keys()]));
  return [...keys].filter((key) => {
    const valueAt = new Map();
    return rows.some((row) => {
      const [limit, value] = [limitOf(row), tagsOf(row).get(key) ?? ""];
      if (!valueAt.has(limit)) valueAt.set(limit, value);
      return valueAt.get(limit) !== value;
    });
  });
}

/** The key of the curve that each cell is a point of, by the cell's first row. */
function curveKeys(cells) {
  const keys = new Map();
  for (const members of grouped(cells.map(({first}) => first), curveOf)) {
    const tags = partingTags(members);
    for (const row of members)
      keys.set(row, [curveOf(row), ...tags.map((key) => tagsOf(row).get(key) ?? "")].join("|"));
  }
  return keys;
}

/** The curves with two or more limits, by workload: [its name, [[name of a curve, its cells by limit], …]]. */
function powerCurves(rows) {
  const all = cellsOf(rows, "images_per_min").filter(({first}) => Number.isFinite(limitOf(first)));
  const keys = curveKeys(all);
  const curvesOf = (cells) => grouped(cells, ({first}) => keys.get(first))
                                  .map((members) => fastestAt(members, limitOfCell))
                                  .filter((curve) => curve.length > 1);
  return grouped(all, ({workload}) => workload)
      .map((cells) => [cells[0].workload, namedCurves(curvesOf(cells))])
      .filter(([, curves]) => curves.length > 0);
}

function namedCurves(curves) {
  const names = distinctNames(new Map(curves.map((cells, i) => [i, cells[0].first])), {
    baseOf: (row) => `${baseName(row)}, ${settingName(row)}`,
    fields: [
      "host", "driver_version", "device_index", "device_uuid", ...data.card_states, "sm_clock_hz_max", "tags",
      "variant_id", "env_id"
    ]
  });
  return fastestFirst(curves.map((cells, i) => [names.get(i), cells.sort((a, b) => limitOfCell(a) - limitOfCell(b))]));
}

/**
 * The knee of the curve: a watt below it gains more images/min than a watt above it, for all speeds within their 95 %
 * intervals. Among several such cells, the one farthest above the line between the curve's ends.
 */
function kneeOf(cells) {
  const watts = cells.map(({first}) => limitOf(first));
  const speeds = cells.map(({speed}) => speed);
  const last = cells.length - 1;
  const chordAt = (place) =>
      speeds[0].rate + ((speeds[last].rate - speeds[0].rate) * (watts[place] - watts[0])) / (watts[last] - watts[0]);
  let knee = null;
  let most = 0;
  for (let i = 1; i < last; ++i) {
    const [before, here, after] = [speeds[i - 1], speeds[i], speeds[i + 1]];
    if ([before, here, after].some(({low}) => low === null)) continue;
    const gainBelow = (here.low - before.high) / (watts[i] - watts[i - 1]);
    const gainAbove = (after.high - here.low) / (watts[i + 1] - watts[i]);
    const height = here.rate - chordAt(i);
    if (gainBelow > Math.max(gainAbove, 0) && height > most) [knee, most] = [cells[i], height];
  }
  return knee;
}

function drawPower(place, rows) {
  const works = powerCurves(rows);
  if (works.length === 0)
    return place.append(
        note("No card has rows of one setting under several power limits, so there is no curve over the limit."));
  chooser(place, "Under several power limits ", works.map(([work]) => work), (choice, spot) => {
    const [work, all] = works[choice];
    const curves = all.map(([name, cells]) => [name, cells, kneeOf(cells)]);
    const knees = curves.map(([, , knee]) => knee);
    const cards = element("div", {class: "cards wide"});
    spot.append(cards);
    const draw = (title, unit, valuesOf) => drawCurves(cards, {
      title: `${title}: ${work}`,
      help: `Whiskers are 95 % intervals${
          curves.slice(0, MOST_CURVES).some(([, , knee]) => knee && valuesOf(knee)[0] !== null) ?
              "; a diamond is the knee" :
              ""}.`,
      unit,
      curves,
      xOf: limitOfCell,
      valuesOf,
      xAxis: axis("power limit, W", {type: "linear", offset: true}),
      marksOf: ([, cells, knee], shape) => ({
        pointStyle: cells.map((cell) => (cell === knee ? "rectRot" : shape)),
        pointRadius: cells.map((cell) => (cell === knee ? 9 : 4))
      }),
      header: ["card and setting", "power limit, W", unit, "95 % from", "to", "knee"],
      lineOf: (cell, [, , knee]) => [...valuesOf(cell), cell === knee ? "knee" : ""]
    });
    draw("Images a minute over the power limit", "images/min", ratesOf);
    draw("Energy of an image over the power limit", "J/image", energyOf);
    const shown = knees.slice(0, MOST_CURVES);
    for (const [i, knee] of shown.entries())
      if (knee)
        spot.append(note(`Knee of ${all[i][0]}: ${figure(limitOf(knee.first))} W, ${
            figure(
                knee.speed.rate)} images/min. Below it a watt brings more than above it, beyond the 95 % intervals.`));
    if (shown.includes(null))
      spot.append(note(
          "A curve without a diamond has no knee that its 95 % intervals prove; more restarts make them " +
          "smaller, and three limits are the fewest."));
    if (all.length > MOST_CURVES) spot.append(curvesLeftOut(all.length));
  });
}
