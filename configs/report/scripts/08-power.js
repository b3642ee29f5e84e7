// Speed and energy over the power limit that somebody set: rows of one card, work and setting at several limits.

const limitPlace = data.card_states.indexOf("power_limit_w");
const statesOf = (row) => stateOf(row).split("|");
/** In W; null where no row of the card tells. */
const limitOf = (row) => Number(statesOf(row)[limitPlace] || NaN);

/** What all points of a curve share: all that tells machines and settings apart, but the limit. */
const curveOf =
    (row) => [placeOf(row), text(row, "device_uuid") || text(row, "device_index"),
              ...statesOf(row).filter((_, place) => place !== limitPlace),
              ...["variant_id", "engine", "engine_revision", "weights", "tags"].map((name) => text(row, name))]
                 .join("|");

/** By workload: [its name, [[name of a curve, its cells by limit], …]]; a curve has two limits or more. */
function powerCurves(rows) {
  const works = new Map();
  for (const cell of cellsOf(rows, "images_per_min").filter(({first}) => Number.isFinite(limitOf(first)))) {
    if (!works.has(cell.workloadKey)) works.set(cell.workloadKey, [cell.workload, new Map()]);
    const curves = works.get(cell.workloadKey)[1];
    const key = curveOf(cell.first);
    if (!curves.has(key)) curves.set(key, new Map());
    const limit = limitOf(cell.first);
    const there = curves.get(key).get(limit);
    if (!there || there.speed.rate < cell.speed.rate) curves.get(key).set(limit, cell);
  }
  return [...works.values()]
      .map(([work, curves]) => [work, namedCurves([...curves].filter(([, cells]) => cells.size > 1))])
      .filter(([, curves]) => curves.length > 0);
}

function namedCurves(curves) {
  const rowOfKey = new Map(curves.map(([key, cells]) => [key, [...cells.values()][0].first]));
  const names = distinctNames(rowOfKey, {
    baseOf: (row) => `${baseName(row)}, ${settingName(row)}`,
    fields: [
      "host", "driver_version", "device_index", "device_uuid", ...data.card_states, "sm_clock_hz_max", "tags",
      "variant_id", "env_id"
    ]
  });
  return curves.map(
      ([key, cells]) => [names.get(key), [...cells.values()].sort((a, b) => limitOf(a.first) - limitOf(b.first))]);
}

/**
 * The cell from which on another watt brings less: below it a watt brings more images/min than above it, whatever the
 * speeds within their 95 % intervals. Of several the one that is farthest above the line between the curve's ends.
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
    const curves = all.slice(0, MOST_CURVES);
    const knees = curves.map(([, cells]) => kneeOf(cells));
    const cards = element("div", {class: "cards wide"});
    spot.append(cards);
    const draw = (title, unit, valuesOf) => drawPowerChart(cards, `${title}: ${work}`, unit, curves, knees, valuesOf);
    draw("Images a minute over the power limit", "images/min", ({speed}) => [speed.rate, speed.low, speed.high]);
    draw("Energy of an image over the power limit", "J/image", energyOf);
    for (const [i, knee] of knees.entries())
      if (knee)
        spot.append(note(`Knee of ${curves[i][0]}: ${figure(limitOf(knee.first))} W, ${
            figure(
                knee.speed.rate)} images/min. Below it a watt brings more than above it, beyond the 95 % intervals.`));
    if (knees.includes(null))
      spot.append(note(
          "A curve without a diamond has no knee that its 95 % intervals prove; more restarts make them " +
          "smaller, and three limits are the fewest."));
    if (all.length > curves.length)
      spot.append(note(`${countedAre(all.length - curves.length, "more curve")} left out; use the filter.`));
  });
}

function drawPowerChart(place, title, unit, curves, knees, valuesOf) {
  const drawn = curves.map(([name, cells], i) => [name, cells.filter((cell) => valuesOf(cell)[0] !== null), knees[i]])
                    .filter(([, cells]) => cells.length > 0);
  if (drawn.length === 0) return place.append(note(`${title}: no row tells it.`));
  const colours = coloursOf(drawn.map(([name]) => name));
  const reach = drawn.flatMap(([, cells]) => cells.map(valuesOf)).map(([rate, , high]) => ({rate, high}));
  chartFigure(place, {
    title,
    help: "Whiskers are 95 % intervals; a diamond is the knee.",
    height: 270,
    config: {
      type: "line",
      data: {
        datasets: drawn.map(([name, cells, knee]) => ({
                              label: name,
                              borderColor: colours.get(name),
                              backgroundColor: colours.get(name),
                              data: cells.map((cell) => ({x: limitOf(cell.first), y: valuesOf(cell)[0]})),
                              intervals: cells.map((cell) => valuesOf(cell).slice(1)),
                              pointStyle: cells.map((cell) => (cell === knee ? "rectRot" : "circle")),
                              pointRadius: cells.map((cell) => (cell === knee ? 9 : 3))
                            }))
      },
      options: {
        scales: {
          x: axis("power limit, W", {type: "linear", offset: true}),
          y: axis(unit, {beginAtZero: true, suggestedMax: reachOf(reach)})
        },
        plugins: {legend: {display: true}}
      }
    },
    table: {
      header: ["card and setting", "power limit, W", unit, "95 % from", "to", "knee"],
      cells: drawn.flatMap(
          ([name, cells, knee]) =>
              cells.map((cell) => [name, limitOf(cell.first), ...valuesOf(cell), cell === knee ? "knee" : ""]))
    },
  });
}
