/** How Markdown becomes HTML that needs no styles within a page, and can be used with the keyboard. */
import type { MarkdownRenderer } from "vitepress";
import { align } from "./align.ts";
import { focusable } from "./focusable.ts";
import { pictures } from "./pictures.ts";

export { codeClasses } from "./code-classes.ts";

/** Changes how Markdown is rendered. */
export function adapt(renderer: MarkdownRenderer): void {
  align(renderer);
  focusable(renderer);
  pictures(renderer);
}
