/** Colours and type, for light and for dark: the picture carries its own ground. */
const LIGHT = {
  ground: "#fbfcfd",
  line: "#d9e0e6",
  faint: "#eaeff3",
  text: "#1c2730",
  quiet: "#5b6b78",
  admitted: "#0b7285",
  refused: "#c2410c",
};

const DARK: typeof LIGHT = {
  ground: "#12181e",
  line: "#36424d",
  faint: "#212a32",
  text: "#e8eef3",
  quiet: "#9fb0be",
  admitted: "#4cc9e0",
  refused: "#ff9b66",
};

const RULES = `text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--quiet)}
.ground{fill:var(--ground);stroke:var(--line)}
.title{font-size:17px;font-weight:650;fill:var(--text)}
.strong{fill:var(--text)}
.middle{text-anchor:middle}
.end{text-anchor:end}
.grid{stroke:var(--faint)}
.window{stroke:var(--quiet);stroke-dasharray:3 4;opacity:.75}
.base{stroke:var(--line)}
.admitted{fill:var(--admitted)}
.refused{stroke:var(--refused);stroke-width:1.8;stroke-linecap:round;fill:none}
.delay{stroke:var(--admitted);opacity:.6;fill:none}
.area{fill:var(--admitted);opacity:.14}
.curve{stroke:var(--admitted);stroke-width:1.8;stroke-linejoin:round;fill:none}`;

/** The style sheet of a picture. */
export const STYLE = `svg{${variables(LIGHT)}}
@media (prefers-color-scheme:dark){svg{${variables(DARK)}}}
${RULES}`;

function variables(colours: typeof LIGHT): string {
  return Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(";");
}
