/** The built site in a real browser. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { chromiumPath, launch } from "../../packages/spillway/test/chromium.ts";
import { addressOf, type Setup } from "../../site/model/index.ts";
import { siteServer } from "../../site/test/site-server.ts";

const SITE = fileURLToPath(new URL("../../site", import.meta.url));

/** Opens the playground with setups, a page each, until it is disposed of. */
export class PlaygroundBrowser implements AsyncDisposable {
  readonly #resources = new AsyncDisposableStack();
  readonly #open: (setup: Setup) => Promise<Page>;

  private constructor(
    browser: Awaited<ReturnType<typeof launch>>,
    site: Awaited<ReturnType<typeof siteServer>>,
  ) {
    this.#resources.defer(() => void site.close());
    this.#resources.use(browser);
    this.#open = async (setup) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.goto(`${site.base}playground.html?${addressOf(setup)}`);
      await page.waitForSelector(".pg-play .pg-picture canvas");
      return page;
    };
  }

  /** Builds the site first, if its files have changed. @throws Error without Chromium */
  static async start(): Promise<PlaygroundBrowser> {
    if (chromiumPath === undefined) {
      throw new Error("no Chromium was found: install it, or name it in SPILLWAY_CHROMIUM");
    }
    await promisify(execFile)(process.execPath, [join(SITE, "main.ts"), "--if-changed"]);
    return new PlaygroundBrowser(await launch(), await siteServer());
  }

  /** Opens a setup. Only the page in front paints, so bring it there before it is measured. */
  open(setup: Setup): Promise<Page> {
    return this.#open(setup);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}
