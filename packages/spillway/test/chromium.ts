/** A real browser, where the machine has one. */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PATHS = [
  process.env.SPILLWAY_CHROMIUM ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Where it is; undefined where there is none. */
export const chromiumPath = PATHS.find((path) => path !== "" && existsSync(path));

/** Why a test was skipped, for its name. */
export const WITHOUT = "(skipped without Chromium; SPILLWAY_CHROMIUM names one)";

export async function launch() {
  const browser = await chromium.launch({
    executablePath: chromiumPath as string,
    args: ["--no-sandbox"],
  });
  return Object.assign(browser, { [Symbol.asyncDispose]: () => browser.close() });
}
