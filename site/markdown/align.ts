import type { MarkdownRenderer } from "vitepress";

/** Aligns the cells of tables by classes: the policy of the pages allows no styles within a page. */
export function align({ renderer }: MarkdownRenderer): void {
  for (const name of ["th_open", "td_open"]) {
    renderer.rules[name] = (tokens, index, options) => {
      const cell = tokens[index];
      const [, side] = /text-align:(\w+)/.exec(cell?.attrGet("style") ?? "") ?? [];
      if (cell?.attrs && side !== undefined) {
        cell.attrs = cell.attrs.filter(([attribute]) => attribute !== "style");
        cell.attrJoin("class", `align-${side}`);
      }
      return renderer.renderToken(tokens, index, options);
    };
  }
}
