// A chart as a PNG: drawn again outside the page, with its title, in the width that forums and papers accept.
const PICTURE_WIDTH = 830;
const PICTURE_SCALES = [1, 2];

/** Paints the background that the page has behind its charts. */
const ground = {
  id: "ground",
  beforeDraw({ctx, width, height}) {
    ctx.save();
    ctx.fillStyle = themeColour("--card");
    ctx.fillRect(0, 0, width, height);
    ctx.restore();
  }
};

/** Splits a text into lines of at most `most` characters. `fit` shortens a word that begins a line. */
function inLines(text, most, fit = (word) => word) {
  const made = [];
  for (const word of text.split(" ")) {
    const last = made.length - 1;
    if (made.length && made[last].length + 1 + word.length <= most)
      made[last] += ` ${word}`;
    else
      made.push(fit(word));
  }
  return made;
}

/** Title or help above the picture. */
const heading = (words, most, size, weight, colour) => ({
  display: Boolean(words),
  align: "start",
  text: inLines(words ?? "", most),
  color: themeColour(colour),
  font: {size, weight},
  padding: {bottom: 6}
});

/** The picture of a chart, with `scale` times the page's resolution. Series that the reader has hidden stay hidden. */
function picture(chart, {title, help, area, config, hasLegend}, scale) {
  const canvas = element("canvas", {});
  canvas.width = PICTURE_WIDTH;
  const [top, words] = [heading(title, 88, 16, "bold", "--ink"), heading(help, 125, 12, "normal", "--soft")];
  canvas.height = area + MOST_BESIDE;
  const padding = {top: 8, left: 8, bottom: 8, right: 8 + endRoom(config)};
  const options = chartOptions(
      config, hasLegend,
      {responsive: false, devicePixelRatio: scale, layout: {padding}, plugins: {title: top, subtitle: words}});
  const drawn = new Chart(canvas, {...config, options, plugins: [...PLUGINS, ground]});
  config.data.datasets.forEach((_, i) => drawn.setDatasetVisibility(i, chart.isDatasetVisible(i)));
  drawn.update();
  giveRoom(drawn, area);
  return drawn;
}

/** A title as part of a file name: "speed-by-machine-sd15-512x512". */
const fileStem = (title) =>
    title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 200) || "chart";

function savePicture(chart, frame, scale) {
  const drawn = picture(chart, frame, scale);
  drawn.canvas.toBlob((bytes) => {
    const address = URL.createObjectURL(bytes);
    element("a", {href: address, download: `${fileStem(frame.title)}-${PICTURE_WIDTH * scale}.png`}).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);  // a browser may still be reading it
    drawn.destroy();
  });
}

/** Every chart has them; `frame`: what chartFigure() was given, and whether there is a legend. */
function pictureButtons(chart, frame) {
  const buttons = PICTURE_SCALES.map((scale) => {
    const width = (PICTURE_WIDTH * scale).toLocaleString("en");
    const button = element(
        "button", {type: "button", "aria-label": `Save this chart as a PNG ${width} pixels wide: ${frame.title}`},
        width);
    button.addEventListener("click", () => savePicture(chart, frame, scale));
    return button;
  });
  return element("p", {class: "save"}, "Save as PNG, pixels wide: ", ...buttons);
}
