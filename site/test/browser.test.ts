/** The site and its playground in a real browser, under a sub-path and a strict policy. */
import fc from "fast-check";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launch, WITHOUT } from "../../packages/spillway/test/chromium.ts";
import {
  addressOf,
  columnsOf,
  csvOf,
  DEFAULT,
  isConcurrency,
  PRESETS,
  playAll,
  playProcesses,
  playShedding,
  rateText,
  readProcessesAddress,
  readSheddingAddress,
  totalsOf,
} from "../model/index.ts";
import { seriousIn } from "./accessible.ts";
import { buildForTests } from "./built-site.ts";
import { type OpenOptions, opened, played, savedDecisions } from "./opened.ts";
import { checkOutput, programOutput } from "./run-copied.ts";
import { setups } from "./setups.ts";
import { siteServer } from "./site-server.ts";
import { typingCases } from "./typing-cases.ts";

/** The seed of the ten set-ups. */
const SEED = 36;

type Open = Omit<OpenOptions, "context" | "site">;

describe.skipIf(chromiumPath === undefined)(`the site ${WITHOUT}`, () => {
  let browser: Awaited<ReturnType<typeof launch>>;
  let context: BrowserContext;
  let site: Awaited<ReturnType<typeof siteServer>>;

  beforeAll(async () => {
    await buildForTests();
    site = await siteServer();
    browser = await launch();
    context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  const open = (options: Open) => opened({ context, site, ...options });
  const playground = async (query = "", options: Omit<Open, "path"> = {}) => {
    const tab = await open({ ...options, path: `playground.html?${query}` });
    await played(tab.page);
    return tab;
  };

  test("decides as Node does, one by one, on ten random set-ups", async () => {
    for (const setup of fc.sample(setups, { seed: SEED, numRuns: 10 })) {
      const { page, complaints } = await playground(addressOf(setup));
      expect(await savedDecisions(page)).toEqual(
        playAll(setup).map((play) => csvOf(columnsOf(play).columns)),
      );
      expect(complaints).toEqual([]);
      await page.close();
    }
  });

  test("a link restores its state, and follows changes", async () => {
    const setup = PRESETS.find(({ name }) => name === "LLM tokens")?.setup ?? DEFAULT;
    const rates = setup.limits.filter((limit) => !isConcurrency(limit));
    const { page } = await playground(addressOf(setup));
    const values = async (role: "combobox" | "textbox") =>
      Promise.all((await page.getByRole(role).all()).map((field) => field.inputValue()));
    expect(await values("combobox")).toEqual(setup.limits.map(({ kind }) => kind));
    expect(await values("textbox")).toEqual([setup.traffic, ...rates.map(rateText)]);
    expect(await page.getByLabel("Units each").inputValue()).toBe("1500");

    await page.getByLabel("Rate", { exact: true }).first().fill("7 per 2 min");
    await page.keyboard.press("Enter");
    await page.waitForURL(/limit=fixed\+window:7\+per\+2\+min/);
    await page.reload();
    await played(page);
    expect((await values("textbox"))[1]).toBe("7 per 2 min");
    await page.close();
  });

  test("a wrong link gets a message, and a playground", async () => {
    const { page, complaints } = await playground("limit=nope:1&traffic=%3Cb%3E&units=-1");
    const message = await page.locator(".pg-problems").innerText();
    for (const field of ["limit", "traffic", "units"]) expect(message).toContain(`${field}: `);
    expect(await page.locator(".pg-problems b").count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("what is copied runs, and is a valid rule", async () => {
    const { page } = await playground(addressOf(DEFAULT));
    const copied = async (name: string) => {
      await page.getByRole("button", { name }).click();
      await page.getByRole("status").filter({ hasText: "copied" }).waitFor();
      return page.evaluate("navigator.clipboard.readText()") as Promise<string>;
    };
    const shown = await page.locator(".pg-sentences").innerText();
    const [, admitted, refused] = /^(\d+) of .* admitted, (\d+) refused/.exec(shown) ?? [];
    const output = programOutput(await copied("Copy as code"));
    expect(output).toContain(`${admitted} admitted, ${refused} refused`);
    expect(checkOutput(await copied("Copy as rule"))).toContain("1 limit");
    await page.close();
  });

  test("is used with the keyboard alone", async () => {
    const { page } = await playground(addressOf(DEFAULT));
    const text = (selector: string) => page.locator(selector).first().innerText();
    await page.getByLabel("Instant").focus();
    await page.keyboard.press("End");
    await page.getByText("Instant: 30 s").waitFor();
    expect(await text(".pg-said")).toContain("request 35 admitted");
    for (const name of ["Zoom in", "Zoom out"]) {
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.textContent")).toBe(name);
      await page.keyboard.press("Enter");
    }
    await page.getByLabel("Limit: capacity").focus();
    for (let step = 15; step < 20; step++) await page.keyboard.press("ArrowRight");
    await page.getByText("25 of 35 requests admitted").waitFor();
    expect(await page.getByRole("spinbutton", { name: "Capacity" }).inputValue()).toBe("20");
    await page.close();
  });

  typingCases({ open, playground });

  test("goes on without a network", async () => {
    const { page, complaints } = await playground();
    await context.setOffline(true);
    const examples = page.getByRole("group", { name: "Examples" });
    await examples.getByRole("button", { name: "Stampede" }).click();
    await page.getByText("30 of 240 requests admitted").waitFor();
    await context.setOffline(false);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("plays timestamps that are pasted", async () => {
    const { page } = await playground();
    await page.getByText("Timestamps of your own").click();
    await page.getByRole("textbox", { name: /One on each line/ }).fill("1000\n1500\n99000");
    await page.getByRole("button", { name: "Use these" }).click();
    await page.getByText("3 of 3 requests admitted").waitFor();
    await page.waitForURL(/times=0,500,98000/);
    await page.close();
  });

  test("simulates overloads as Node does", async () => {
    const { page, complaints } = await open({ path: "shedding/playground.html?load=180&slower=x" });
    await page.getByText('slower: "x", expected a whole number').waitFor();
    const rows = page.locator(".pg-runs tbody tr");
    await rows.first().waitFor();
    const { setup } = readSheddingAddress("load=180");
    const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
    const expected = (await playShedding(setup)).map(({ name, served }) =>
      [name, percent(served.all), percent(served.critical)].join("\t"),
    );
    expect(await rows.allInnerTexts()).toEqual(expected);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("plays processes as Node does, by link, keyboard and mouse", async () => {
    const { page, complaints } = await open({ path: "shares/playground.html?ends=3&processes=x" });
    await page.getByText('processes: "x", expected a whole number').waitFor();
    const totals = page.getByRole("region", { name: "Calls of the processes" }).locator("tbody tr");
    const expected = (query: string) =>
      playProcesses(readProcessesAddress(query).setup).rows.map((row) =>
        [row.name, ...Object.values(totalsOf(row))].join("\t"),
      );
    await totals.first().waitFor();
    expect(await totals.allInnerTexts()).toEqual(expected("ends=3"));
    await page.getByRole("slider", { name: /^Processes/ }).focus();
    await page.keyboard.press("End");
    await page.waitForURL(/processes=6/);
    await totals.nth(5).waitFor();
    expect(await totals.allInnerTexts()).toEqual(expected("ends=3&processes=6"));
    await page.getByRole("button", { name: "Copy as code" }).click();
    await page.getByText("Code copied").waitFor();
    const output = programOutput((await page.evaluate("navigator.clipboard.readText()")) as string);
    const [first = ""] = expected("ends=3&processes=6");
    expect(output).toContain(first.replace(/\t(\d+)\t(\d+)$/, ": $1 admitted, $2 refused"));
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each([
    ["playground.html", ".pg-play canvas"],
    ["shedding/playground.html", ".pg-runs"],
    ["shares/playground.html", ".pg-process canvas"],
  ])("%s says that its worker failed, and tries again", async (path, picture) => {
    const page = await context.newPage();
    await page.route(/worker-[^/]*\.js$/, (route) => route.abort());
    await page.goto(site.base + path);
    await page.getByText("This could not be played: the worker could not be loaded").waitFor();
    await page.unroute(/worker-[^/]*\.js$/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForSelector(picture);
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.close();
  });

  test("moves nothing for whoever wants less motion", async () => {
    const { page } = await open({ path: "playground.html" });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await played(page);
    const moving = await page.evaluate(`[...document.querySelectorAll("*")].filter((element) => {
      const { transitionDuration, animationName } = getComputedStyle(element);
      return animationName !== "none" || !/^0s(, 0s)*$/.test(transitionDuration);
    }).length`);
    expect(moving).toBe(0);
    await page.close();
  });

  test("hover says a decision in full, and a drag zooms", async () => {
    const { page } = await playground(addressOf(DEFAULT));
    const over = page.locator(".u-over").first();
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    if (box === null) throw new Error("no picture");
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width - 2, y);
    const said = page.locator(".pg-said");
    await said.getByText("30 s: request 35 admitted").waitFor();
    expect(await said.innerText()).toBe(
      "30 s: request 35 admitted; 0 units left; fully reset after 1.5 min",
    );
    await page.mouse.move(box.x + box.width / 4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, y, { steps: 5 });
    await page.mouse.up();
    const all = page.getByRole("button", { name: "All", exact: true });
    expect(await all.isEnabled()).toBe(true);
    await all.click();
    expect(await all.isEnabled()).toBe(false);
    await page.close();
  });

  test("plays a file of timestamps that is dropped", async () => {
    const { page } = await playground();
    const file = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(["1000\\n1500\\n99000"], "times.txt"));
      return data;
    })()`);
    await page.getByText("Timestamps of your own").click();
    await page.locator(".pg-times").dispatchEvent("drop", { dataTransfer: file });
    await page.getByText("3 of 3 requests admitted").waitFor();
    await page.close();
  });

  const PAGES = [
    "index.html",
    "docs.html",
    "playground.html",
    "shedding/playground.html",
    "shares/playground.html",
    "algorithms/token-bucket.html",
    "algorithms/concurrency.html",
    "recipes/login-protection.html",
    "reference/small.html",
    "source/examples/own-store.ts.html",
  ];

  test.each(PAGES)("%s keeps the policy, fits 360 px, and is accessible", async (path) => {
    for (const dark of path === "playground.html" ? [false, true] : [false]) {
      const { page, complaints } = await open({ path, width: 360, dark });
      if (path === "playground.html") await played(page);
      if (path.startsWith("shares/")) await page.waitForSelector(".pg-process canvas");
      if (path.startsWith("shedding/")) await page.waitForSelector(".pg-runs");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
      expect(await seriousIn(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });

  test("a narrow screen scrolls pictures, so that their text is as large as on a wide one", async () => {
    const { page } = await open({ path: "algorithms/token-bucket.html", width: 360 });
    const picture = page.locator(".picture").first();
    expect((await picture.locator("img").boundingBox())?.width).toBe(760);
    await picture.focus();
    await page.keyboard.press("ArrowRight");
    const scrolled = () => page.evaluate("document.querySelector('.picture').scrollLeft");
    await expect.poll(scrolled, { timeout: 60_000 }).toBeGreaterThan(0);
    await page.close();
  });

  test("pictures follow the site's switch against the system's scheme", async () => {
    const { page } = await open({ path: "which.html", dark: true });
    const picture = () => page.locator("main img").screenshot();
    const dark = await picture();
    await page.getByRole("switch").first().click();
    expect((await picture()).equals(dark)).toBe(false);
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("switch").first().click();
    expect((await picture()).equals(dark)).toBe(true);
    await page.close();
  });

  test("is searched on the machine itself", async () => {
    const { page, complaints } = await open({ path: "quickstart.html" });
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("stampede");
    await page.locator(".result").first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("has each page as Markdown, and llms.txt at its root", async () => {
    for (const path of ["quickstart.md", "index.md", "algorithms/token-bucket.md", "llms.txt"]) {
      const response = await fetch(site.base + path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(await response.text()).toContain("# ");
    }
  });

  test("is served on the loopback only, and nothing beside it", async () => {
    await expect(fetch(site.base.replace("127.0.0.1", "127.0.0.2"))).rejects.toThrow(
      "fetch failed",
    );
    for (const path of ["..%2f..%2fpackage.json", "%", "nowhere"]) {
      expect([path, (await fetch(site.base + path)).status]).toEqual([path, 404]);
    }
  });
});
