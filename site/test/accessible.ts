/** What axe finds in a page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { SITE } from "../build/index.ts";

/** The part of axe that is needed here. */
type AxeResult = {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
};

/** The serious findings: each rule, and where it is broken. */
export async function seriousIn(page: Page): Promise<readonly (readonly string[])[]> {
  const axe = createRequire(join(SITE, "main.ts")).resolve("axe-core");
  await page.evaluate(readFileSync(axe, "utf8"));
  const { violations } = (await page.evaluate("axe.run()")) as AxeResult;
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ target }) => target.join(" "))]);
}
