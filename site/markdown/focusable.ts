import type { MarkdownRenderer } from "vitepress";

/** Lets the keyboard scroll indented code, as it can all other code. */
export function focusable({ renderer }: MarkdownRenderer): void {
  const original = renderer.rules.code_block;
  renderer.rules.code_block = (...parts) =>
    (original?.(...parts) ?? "").replace("<pre", '<pre tabindex="0"');
}
