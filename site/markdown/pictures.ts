import type { MarkdownRenderer } from "vitepress";

/** Lets narrow screens scroll pictures, whose text would be too small to read; the keyboard can as well. */
export function pictures({ core }: MarkdownRenderer): void {
  core.ruler.push("pictures", ({ tokens }) => {
    for (const [index, { children }] of tokens.entries()) {
      const paragraph = tokens[index - 1];
      const [only, ...others] = children ?? [];
      if (paragraph?.type !== "paragraph_open" || only?.type !== "image" || others.length > 0)
        continue;
      paragraph.attrSet("class", "picture");
      paragraph.attrSet("tabindex", "0");
    }
  });
}
