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

export type Colours = typeof LIGHT;

/** Rules that colour a picture. */
export type Paint = (colours: Colours) => string;

const SHAPES = `text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.title{font-size:17px;font-weight:650}
.middle{text-anchor:middle}
.end{text-anchor:end}
.window{stroke-dasharray:3 4;opacity:.75}
.refused{stroke-width:1.8;stroke-linecap:round;fill:none}
.delay{opacity:.6;fill:none}
.area{opacity:.14}
.curve{stroke-width:1.8;stroke-linejoin:round;fill:none}`;

const paint: Paint = ({ ground, line, faint, text, quiet, admitted, refused }) =>
  `text{fill:${quiet}}
.ground{fill:${ground};stroke:${line}}
.title,.strong{fill:${text}}
.grid{stroke:${faint}}
.window{stroke:${quiet}}
.base{stroke:${line}}
.admitted,.area{fill:${admitted}}
.refused{stroke:${refused}}
.delay,.curve{stroke:${admitted}}`;

/** What a picture adds to the style that all share. */
export type OwnStyle = { readonly shapes: string; readonly paint: Paint };

/**
 * The style sheet of a picture. Every colour is written out, twice: many viewers know no variables, and
 * would paint all of it black.
 */
export function styleOf(own: OwnStyle | undefined): string {
  const painted = (colours: Colours) => lines(paint(colours), own?.paint(colours));
  const dark = `@media (prefers-color-scheme:dark){\n${painted(DARK)}\n}`;
  return lines(SHAPES, own?.shapes, painted(LIGHT), dark);
}

function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join("\n");
}
