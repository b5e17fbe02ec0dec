/** Charts by Vega-Lite: panels above each other, with words for those who cannot see them. */
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

/** What is drawn at one place, by the names that the picture shows, and where that is. */
export type Point = { readonly [name: string]: number | undefined };

export type Mark = {
  readonly type: "area" | "line";
  readonly colour: string;
  readonly strokeWidth?: number;
  readonly strokeDash?: number[];
  readonly opacity?: number;
  /** Whether each value has a dot. */
  readonly point?: boolean;
  /** `filter` draws a line through places where it has no value. */
  readonly invalid?: "filter";
};

/** Settings of an axis, as Vega-Lite has them. */
export type Axis = { readonly [setting: string]: unknown };

/** One part of a picture: what it shows, the first at the back. */
export type Panel = {
  readonly height: number;
  /** What the values are. */
  readonly title: string;
  /** Which of a point's values says where it is. Default: `second`. */
  readonly along?: string;
  readonly x: Axis;
  readonly y?: Axis;
  readonly values: readonly Point[];
  readonly marks: { readonly [name: string]: Mark };
};

/** A title, and a sentence that says what to look for. */
export type Words = {
  readonly title: string;
  readonly about: string;
  /** Letters of a line at most: the picture is as wide as its lines seem to be. Default: 120. */
  readonly wrap?: number;
};

const WIDTH = 700;

/** A whole picture, as SVG. */
export async function drawChart(words: Words, panels: readonly Panel[]): Promise<string> {
  const spec: TopLevelSpec = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    title: { text: words.title, subtitle: wrapped(words), anchor: "start", fontSize: 17 },
    background: "#fbfcfd",
    padding: 16,
    config: { font: "system-ui, sans-serif", view: { stroke: "#d9e0e6" } },
    vconcat: panels.map(panelSpec),
    spacing: 14,
    resolve: { scale: { color: "independent" } },
  };
  const view = new View(parse(compileQuietly(spec)), { renderer: "none" });
  return titled(await view.toSVG(), words);
}

/** Text in lines that are not wider than a picture. */
function wrapped({ about, wrap = 120 }: Words): string[] {
  return about.match(new RegExp(`.{1,${wrap}}(?:\\s|$)`, "g")) ?? [about];
}

function panelSpec({ height, title, along = "second", x, y, values, marks }: Panel) {
  const names = Object.keys(marks);
  const range = names.map((name) => marks[name]?.colour as string);
  const color = { title: null, scale: { domain: names, range } };
  const layer = names.map((name) => {
    const { colour: _, ...mark } = marks[name] as Mark;
    return {
      mark: { ...mark, clip: true },
      encoding: {
        x: { field: along, type: "quantitative" as const, ...x },
        y: { field: name, type: "quantitative" as const, title, ...y },
        color: { datum: name, ...color },
      },
    };
  });
  return { width: WIDTH, height, data: { values: [...values] }, layer };
}

/** Words for each part of a line are no help to whoever can't see it: the picture has its own. */
const PARTS = / (?:role|aria-[a-z]+)="[^"]*"/g;

/** With words for those who cannot see it. */
function titled(svg: string, { title, about }: Words): string {
  const words = `<title id="title">${title}</title>\n<desc id="desc">${about}</desc>`;
  const [start = "", ...rest] = svg.replaceAll(PARTS, "").split(">");
  const open = start.replace("<svg ", '<svg role="img" aria-labelledby="title desc" ');
  return `${open}>\n${words}\n${rest.join(">")}\n`;
}

/** Vega-Lite says on the console what it leaves out; there is nobody to read it. */
function compileQuietly(spec: TopLevelSpec) {
  const quiet = { level: () => quiet, error: fail, warn: () => quiet, info: () => quiet };
  const logger = { ...quiet, debug: () => quiet } as never;
  return compile(spec, { logger }).spec;
}

function fail(...messages: readonly unknown[]): never {
  throw new Error(messages.join(" "));
}
