/** A page of the built site in a real browser, and all that it complains of. */
import type { BrowserContext, Page } from "playwright-core";
import type { siteServer } from "./site-server.ts";

type Site = Awaited<ReturnType<typeof siteServer>>;

export type OpenOptions = {
  readonly context: BrowserContext;
  readonly site: Site;
  /** The address, relative to the site's. */
  readonly path: string;
  readonly width?: number;
  readonly dark?: boolean;
};

/** Opens a page. `complaints` are errors, warnings, refused styles and scripts, and foreign requests. */
export async function opened({ context, site, path, width = 1280, dark = false }: OpenOptions) {
  const page = await context.newPage();
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(?:data|blob):/.test(url) && !url.startsWith(site.base)) complaints.push(`asks ${url}`);
  });
  await page.goto(site.base + path);
  return { page, complaints };
}

/** Waits until the playground shows what it has played. */
export async function played(page: Page): Promise<void> {
  await page.waitForSelector(".pg-play .pg-picture canvas");
}

/** The decisions of each limit, as the page saves them. */
export async function savedDecisions(page: Page): Promise<readonly string[]> {
  const buttons = await page.getByRole("button", { name: "Save decisions" }).all();
  const saved: string[] = [];
  for (const button of buttons) {
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    const parts: Buffer[] = [];
    for await (const part of await download.createReadStream()) parts.push(part as Buffer);
    saved.push(Buffer.concat(parts).toString("utf8"));
  }
  return saved;
}
