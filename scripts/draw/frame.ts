/** What every picture has: its title, what it says to those who cannot see it, its ground. */
import { mark } from "./asks.ts";
import { WIDTH } from "./layout.ts";
import { type OwnStyle, styleOf } from "./style.ts";
import { element, escaped, text } from "./svg.ts";

/** A title, and the one line below it. */
export type Head = { readonly title: string; readonly line: string };

export type Frame = Head & {
  /** What the picture shows, in words. */
  readonly about: string;
  readonly height: number;
  /** Rules of its own, beside those that all share. */
  readonly style?: OwnStyle;
};

/** A whole picture around its content. */
export function drawFrame(frame: Frame, content: readonly string[]): string {
  const { title, about, height, style } = frame;
  const ground = { class: "ground", x: 0.5, y: 0.5, width: WIDTH - 1, height: height - 1, rx: 10 };
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${WIDTH} ${height}`,
    width: WIDTH,
    height,
    role: "img",
    "aria-labelledby": "title desc",
  };
  const head = [
    element("title", { id: "title" }, escaped(title)),
    element("desc", { id: "desc" }, escaped(about)),
    element("style", {}, styleOf(style)),
    element("rect", ground),
  ];
  return `${element("svg", attributes, "", ...head, ...content, "")}\n`;
}

/** The title, its line, and what the marks of asks mean. */
export function drawTitle({ title, line }: Head): string[] {
  return [
    text({ class: "title", x: 24, y: 34 }, title),
    text({ x: 24, y: 54 }, line),
    mark(true, { x: 592, y: 30 }),
    text({ x: 602, y: 34 }, "admitted"),
    mark(false, { x: 672, y: 30 }),
    text({ x: 682, y: 34 }, "refused"),
  ];
}
