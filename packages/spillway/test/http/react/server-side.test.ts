/** React on the server: the page is rendered with what is left then. */
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { useLimit } from "../../../src/http/react/index.ts";
import { valueSnapshot, valueSource } from "../../../src/http/value/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { Form } from "./page.ts";

const send = async () => {};

test("renders what the source begins with, and asks nothing", async () => {
  const limiter = new RateLimiter(
    { messages: { kind: "token bucket", rate: 5, period: "1m" } },
    { store: memoryStore({ clock: manualClock() }) },
  );
  for (let unit = 0; unit < 5; unit++) limiter.limit("messages", { key: "ada" });
  const initial = await valueSnapshot(limiter, { limit: "messages", key: "ada" });
  const fetch = () => Promise.reject(new Error("nothing is asked on a server"));
  const source = valueSource("/left", { initial, fetch });
  const html = renderToString(createElement(Form, { source, send }));
  expect(html).toContain('<button type="button" disabled="">Wait 12 s</button>');
  expect(html).toContain("0 of 5 left");
});

test("renders a page that knows nothing yet: what is sent is for the server to decide", () => {
  const html = renderToString(createElement(Form, { source: valueSource("/left"), send }));
  expect(html).toContain('<button type="button">Send</button>');
  expect(html).toContain("…");
});

test("refuses a count that is none", () => {
  const Wrong = () => createElement("p", null, useLimit(valueSource("/left"), 0.5).status);
  expect(() => renderToString(createElement(Wrong))).toThrow("count");
});
