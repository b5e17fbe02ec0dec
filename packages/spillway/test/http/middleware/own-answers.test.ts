/** Functions that answer refusals, or hear of warnings, and fail: somebody is answered all the same, once. */
import { describe, expect, onTestFinished, test } from "vitest";
import { MINUTE, RateLimiter } from "../../../src/index.ts";
import { FAULTS, fails, NAMES, TIMEOUT, watchRejections } from "../../faults.ts";
import type { AnyRoute, Host } from "./host.ts";
import { expressHosts } from "./hosts/express.ts";
import { fastifyHosts } from "./hosts/fastify.ts";
import { fetchHost } from "./hosts/fetch.ts";
import { honoHost } from "./hosts/hono.ts";
import { koaHost } from "./hosts/koa.ts";
import { nestHosts } from "./hosts/nest.ts";
import { nodeHost } from "./hosts/node.ts";

const HAVE_NO_ERROR_HANDLERS = [nodeHost, fetchHost];
const HAVE_ERROR_HANDLERS = [...expressHosts, ...fastifyHosts, honoHost, koaHost];
const HOSTS = [...HAVE_NO_ERROR_HANDLERS, ...HAVE_ERROR_HANDLERS];

async function siteOf(host: Host, route: object) {
  const limiter = new RateLimiter({ search: { kind: "token bucket", rate: 1, period: MINUTE } });
  const common = { limit: "search", key: "all", timeout: TIMEOUT };
  const routes = [{ ...common, ...route } as AnyRoute];
  const running = await host.start({ limiter, routes, handle: () => ({}) });
  onTestFinished(() => running.close());
  return `http://127.0.0.1:${running.port}/`;
}

describe.each(HOSTS)("$name", (host) => {
  const hasErrorHandlers = HAVE_ERROR_HANDLERS.includes(host);

  test.each(NAMES)("an `onLimited` that %s", async (fault) => {
    const rejections = watchRejections();
    const fields: string[] = [];
    const onEvent = (event: { field?: string }) => fields.push(event.field ?? "");
    const url = await siteOf(host, { count: 2, onEvent, onLimited: FAULTS[fault] });
    const response = await fetch(url);
    const isHandled = hasErrorHandlers && fails(fault) && fault !== "never settles";
    // Some of them keep the status that is set, and the headers with it.
    expect(isHandled ? [429, 500] : [429]).toContain(response.status);
    if (response.status === 429) expect(response.headers.get("cache-control")).toBe("no-store");
    if (response.status === 429) expect(response.headers.get("ratelimit")).toContain("search");
    if (fails(fault)) expect(fields).toContain("onLimited");
    await response.text();
    await rejections.none();
  });

  test("an `onLimited` that answers after its time says no second word", async () => {
    const rejections = watchRejections();
    const onLimited = async (one: { body?: unknown; end?: unknown }, other?: Responding) => {
      await new Promise((resolve) => setTimeout(resolve, 3 * TIMEOUT));
      if (typeof other?.end === "function") other.end("late");
      else if (typeof other?.send === "function") other.send("late");
      else one.body = "late";
      return host === fetchHost || host === honoHost ? new Response("late") : undefined;
    };
    const url = await siteOf(host, { count: 2, onLimited });
    const response = await fetch(url);
    expect(response.status).toBe(429);
    expect(await response.text()).not.toBe("");
    await rejections.none();
  });

  test.each(NAMES)("a `warn` that %s", async (fault) => {
    const rejections = watchRejections();
    const key = () => Promise.reject(Object.create(null));
    const url = await siteOf(host, { key, onEvent: undefined, warn: FAULTS[fault] } as never);
    const response = await fetch(url);
    expect([response.status, response.headers.get("cache-control")]).toEqual([500, "no-store"]);
    await response.text();
    await rejections.none();
  });
});

type Responding = { readonly end?: unknown; readonly send?: unknown };

test.each(fastifyHosts)(
  "$name: an `onLimited` that throws says nothing to clients",
  async (host) => {
    const errors: unknown[] = [];
    const onEvent = (event: { error?: unknown; type: string }) =>
      event.type === "failed" && errors.push(event.error);
    const onLimited = () => {
      throw new Error("password=hunter2");
    };
    const response = await fetch(await siteOf(host, { count: 2, onEvent, onLimited }));
    expect([response.status, response.headers.get("content-type")]).toEqual([
      429,
      expect.stringContaining("problem+json"),
    ]);
    expect(await response.text()).not.toContain("hunter2");
    expect(errors).toEqual([new Error("password=hunter2")]);
  },
);

test.each(nestHosts)("$name: a warning of a failure that nobody can read", async (host) => {
  const rejections = watchRejections();
  const key = FAULTS["throws what can't be read"];
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const response = await fetch(await siteOf(host, { key, warn, onEvent: undefined } as never));
  expect([response.status, response.headers.get("cache-control")]).toEqual([500, "no-store"]);
  expect(warnings).toEqual(["key of a route failed: an object"]);
  await rejections.none();
});
