/** The little of SVG that the pictures need, as strings. */

type Attributes = { readonly [name: string]: string | number };

/** An element; numbers are rounded to a tenth, so that the text is small and always the same. */
export function element(name: string, attributes: Attributes, ...content: string[]): string {
  const shown = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(value)}"`);
  const start = `<${name}${shown.join("")}`;
  return content.length === 0 ? `${start}/>` : `${start}>${content.join("\n")}</${name}>`;
}

/** A text element with one line of text. */
export function text(attributes: Attributes, line: string): string {
  return element("text", attributes, escaped(line));
}

/** Words in lines of fewer characters than `longest`, except for a longer word. */
export function wrapped(words: string, longest: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= longest) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Text as it may stand between tags. */
export function escaped(line: string): string {
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A number as it stands in a path. */
export function tenth(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function attribute(value: string | number): string {
  return typeof value === "number" ? tenth(value) : escaped(value).replaceAll('"', "&quot;");
}
