import { afterEach } from "vitest";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Closes something when the test ends, what was opened last before all others. */
export function atEnd(close: () => unknown): void {
  open.push(close);
}
