/** React in a real browser: what a user sees of a limit, and what the server is asked for it. */
import { createServer, type IncomingMessage } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Page as Tab } from "playwright-core";
import { createElement, StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limited } from "../../../src/http/middleware/node/index.ts";
import { type ValueSnapshot, valueSnapshot, valueSource } from "../../../src/http/value/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { chromiumPath, launch, WITHOUT } from "../../chromium.ts";
import { listening, type Running } from "../middleware/host.ts";
import { Page } from "./page.ts";

const KEY = { limit: "messages", key: "ada" } as const;

/** The server's; the page's is an hour off. Both go on only as a test says. */
const TIME_OF_DAY = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

const PER_1200 = { rate: 3, period: 1200 };

/** Counts timers that are set. */
const WATCH_TIMERS = `
  const timers = new Set();
  const { setTimeout: set, clearTimeout: clear } = window;
  window.timers = timers;
  window.setTimeout = (call, ms) => {
    const timer = set(() => { timers.delete(timer); call(); }, ms);
    timers.add(timer);
    return timer;
  };
  window.clearTimeout = (timer) => { timers.delete(timer); clear(timer); };
`;

const html = (content: string, script: string) =>
  `<!doctype html><title>Messages</title><link rel="icon" href="data:,"><div id="root">${content}</div>` +
  `<script src="/script.js"></script><script>${script}</script>`;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("./browser-entry.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "page",
    define: { "process.env.NODE_ENV": '"development"' },
  });
  return outputFiles[0]?.text ?? "";
}

/** A page whose HTML is rendered with what is left. */
function rendered(initial: ValueSnapshot): string {
  const source = valueSource("/left", { initial });
  const page = createElement(Page, { source, send: async () => {} });
  const data = JSON.stringify({ initial });
  return html(
    renderToString(createElement(StrictMode, null, page)),
    `window.stop = page.start(${data})`,
  );
}

describe.skipIf(chromiumPath === undefined)(`a page of React ${WITHOUT}`, () => {
  let browser: Awaited<ReturnType<typeof launch>>;
  let running: Running;
  let limiter: RateLimiter<{ messages: { kind: "token bucket"; rate: number; period: number } }>;
  let asked: string[] = [];

  beforeAll(async () => {
    const script = await bundle();
    const answer = async ({ url }: IncomingMessage) => {
      if (url === "/script.js") return script;
      if (url === "/left") return JSON.stringify(await valueSnapshot(limiter, KEY));
      if (url === "/rendered") return rendered(await valueSnapshot(limiter, KEY));
      return html("", "window.stop = page.start({})");
    };
    running = await listening(
      createServer((request, response) => {
        response.setHeader("Connection", "close");
        const { method, url = "" } = request;
        asked.push(`${method} ${url}`);
        if (method === "POST") {
          const send = limited(limiter, KEY, (_, response) => void response.end("sent"));
          return void send(request, response);
        }
        const type = url === "/script.js" ? "text/javascript" : "text/html; charset=utf-8";
        response.setHeader("Content-Type", url === "/left" ? "application/json" : type);
        answer(request).then((body) => response.end(body));
      }),
    );
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await running?.close();
  });

  /** Opens a page whose time stands still, as the server's does; `pass` lets both go on. */
  async function open(path: string, rate: { readonly rate: number; readonly period: number }) {
    const clock = manualClock(TIME_OF_DAY);
    const limits = { messages: { kind: "token bucket", ...rate } } as const;
    limiter = new RateLimiter(limits, { store: memoryStore({ clock }) });
    const used = (count: number) => void limiter.limit("messages", { key: "ada", count });
    asked = [];
    const tab = await browser.newPage({ viewport: { width: 420, height: 260 } });
    const errors: string[] = [];
    tab.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    tab.on("pageerror", (error) => errors.push(String(error)));
    await tab.clock.install({ time: TIME_OF_DAY });
    await tab.clock.pauseAt(TIME_OF_DAY + HOUR);
    await tab.addInitScript(WATCH_TIMERS);
    const pass = async (ms: number) => {
      clock.advance(ms);
      await tab.clock.runFor(ms);
    };
    const go = () => tab.goto(`http://127.0.0.1:${running.port}${path}`);
    return {
      tab,
      used,
      pass,
      go,
      errors,
      questions: () => asked.filter((one) => one === "GET /left"),
    };
  }

  const timers = (tab: Tab) => tab.evaluate("window.timers.size");
  const click = (tab: Tab) => tab.click("button");

  test("counts on by itself: disabled until a unit is back, and nothing is asked for it", async () => {
    const { tab, used, pass, go, errors, questions } = await open("/rendered", PER_1200);
    used(3);
    await go();
    expect(await tab.textContent("button")).toBe("Wait 1 s");
    expect(await tab.isDisabled("button")).toBe(true);
    await pass(399);
    expect(await tab.isDisabled("button")).toBe(true);
    await pass(1);
    await tab.waitForSelector("button:enabled");
    expect(await tab.textContent("p")).toBe("one at a time");
    await pass(800);
    await tab.waitForFunction("document.querySelector('output').textContent === '3 of 3 left'");
    expect(await timers(tab)).toBe(0);
    expect(questions()).toEqual([]);
    // Among others, that what was rendered is what was hydrated.
    expect(errors).toEqual([]);
    await tab.close();
  });

  test("is asked once, though all is mounted twice and shown twice, and stops when it is gone", async () => {
    const { tab, used, go, questions } = await open("/", { rate: 3, period: 600_000 });
    used(3);
    await go();
    await tab.waitForSelector("button:disabled");
    expect(await tab.textContent("button")).toBe("Wait 200 s");
    expect(questions().length).toBe(1);
    expect(await timers(tab)).toBe(1);
    await tab.click("a");
    expect(await timers(tab)).toBe(0);
    await tab.click("a");
    expect(await timers(tab)).toBe(1);
    await tab.evaluate("window.stop()");
    expect(await timers(tab)).toBe(0);
    expect(questions().length).toBe(1);
    await tab.close();
  });

  test("hears from its own requests what is left", async () => {
    const { tab, go, questions } = await open("/", { rate: 3, period: 600_000 });
    await go();
    await tab.waitForFunction("document.querySelector('output').textContent === '3 of 3 left'");
    for (const left of [2, 1, 0]) {
      await click(tab);
      await tab.waitForFunction(
        `document.querySelector('output').textContent === '${left} of 3 left'`,
      );
    }
    expect(await tab.isDisabled("button")).toBe(true);
    expect(questions().length).toBe(1);
    await tab.close();
  });

  test("draws nothing while nobody sees it, and is up to date when it is seen", async () => {
    const { tab, used, pass, go } = await open("/rendered", PER_1200);
    used(3);
    const hide = (state: string) =>
      tab.evaluate(`
        Object.defineProperty(document, "visibilityState", { configurable: true, value: "${state}" });
        document.dispatchEvent(new Event("visibilitychange"));
      `);
    await go();
    await hide("hidden");
    expect(await timers(tab)).toBe(0);
    await pass(1200);
    expect(await tab.textContent("output")).toBe("0 of 3 left");
    await hide("visible");
    await tab.waitForFunction("document.querySelector('output').textContent === '3 of 3 left'");
    expect(await timers(tab)).toBe(0);
    await tab.close();
  });
});
