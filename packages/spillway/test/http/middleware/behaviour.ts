/**
 * The behaviour of every adapter: a table of situations, what is answered, and what was charged.
 *
 * An adapter brings a `Host`; `describeBehaviour(host)` runs all rows through it, over real sockets.
 */
import { request as send } from "node:http";
import { parseList } from "structured-headers";
import { describe, expect, test } from "vitest";
import type { RouteEvent } from "../../../src/http/guard/index.ts";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { memoryStore } from "../../../src/stores/memory/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { away, later, withheld } from "../../limiter/later.ts";
import { until } from "../../servers/until.ts";
import type { AnyRequest, AnyRoute, Host, Running } from "./host.ts";
import { LIMITS, type Row, type Step, type World } from "./row.ts";
import { rows } from "./rows/index.ts";

/** Runs every row of the table through a framework. */
export function describeBehaviour(host: Host): void {
  describe(`behaviour of ${host.name}`, () => {
    for (const row of rows) {
      const why = host.lacks?.[row.situation];
      test.skipIf(why !== undefined)(row.situation, () => run(host, row));
    }
    test("lacks only what is in the table", () => {
      const situations = rows.map(({ situation }) => situation);
      expect(new Set(situations).size).toBe(rows.length);
      for (const lacking of Object.keys(host.lacks ?? {})) expect(situations).toContain(lacking);
    });
  });
}

async function run(host: Host, row: Row): Promise<void> {
  const { world, limiter, client } = worldOf(row);
  const events: RouteEvent<AnyRequest>[] = [];
  const warnings: string[] = [];
  const heard = {
    onEvent: (event: RouteEvent<AnyRequest>) => events.push(event),
    warn: (warning: string) => warnings.push(warning),
  };
  const routes = [row.route(host.header, world)].flat() as readonly AnyRoute[];
  const running = await host.start({
    limiter,
    routes: routes.map((route) => ({ ...heard, ...route })),
    handle: async (decision) => {
      client.reached();
      return (await row.reply?.(decision, world)) ?? {};
    },
  });
  for (const step of row.steps) {
    await step.before?.(world);
    await take(running, step, client);
  }
  await running.close();
  await row.after?.(world);
  for (const [limit, key, units] of row.left ?? []) {
    const { remaining } = world.limiter.value(limit, { key });
    expect([limit, key, remaining]).toEqual([limit, key, units]);
  }
  expect(events).toMatchObject(row.events ?? events.filter(({ type }) => type === "refused"));
  expect(warnings).toEqual((row.warnings ?? []).map((text) => expect.stringContaining(text)));
}

/** A limiter on the row's store, and another that sees the truth. */
function worldOf({ store }: Row) {
  const clock = manualClock();
  const memory = memoryStore({ clock });
  const slow = withheld(memory);
  const stores = { later: later(memory), away: away(memory), slow: slow.store };
  const gone = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const world: World = {
    limiter: new RateLimiter(LIMITS, { store: memory }),
    clock,
    gone: gone.promise,
    release: slow.next,
    notes: [],
  };
  const limiter = new RateLimiter(LIMITS, { store: store === undefined ? memory : stores[store] });
  const client = { isReached: reached.promise, reached: reached.resolve, gone: gone.resolve };
  return { world, limiter, client };
}

export type Client = { readonly isReached: Promise<void>; readonly gone: () => void };

/** Sends a request, on a connection of its own, and looks at what it gets. */
export async function take(
  running: Running,
  step: Step,
  { isReached, gone }: Client,
): Promise<void> {
  const { sends, leaves, gets } = step;
  const { method = sends === undefined ? "GET" : "POST", headers = headersOf(sends) } = step;
  const answered = Promise.withResolvers<Got | undefined>();
  const { port, path = "/" } = running;
  const request = send({ port, path, host: "127.0.0.1", method, headers, agent: false });
  request.on("error", () => answered.resolve(undefined));
  request.on("response", async (response) => {
    let body = "";
    response.setEncoding("utf8").on("error", () => {});
    response.on("data", (chunk) => {
      body += chunk;
      if (leaves === "in the answer") request.destroy();
    });
    response.on("close", () =>
      answered.resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
    );
  });
  request.end(sends);
  if (leaves === "before the answer") isReached.then(() => request.destroy());
  const got = await answered.promise;
  if (leaves !== undefined) await left(running);
  gone();
  if (gets === undefined) return;
  expect(got).toMatchObject({ status: gets.status });
  expectHeaders(got as Got, gets.headers ?? {});
  if (gets.body !== undefined) expect(got?.body).toBe(gets.body);
}

function headersOf(sends: string | undefined): Record<string, string> {
  if (sends === undefined) return {};
  return { "content-type": "application/json", "content-length": String(Buffer.byteLength(sends)) };
}

/** Until the server knows, too. */
async function left(running: Running): Promise<void> {
  await until(async () => (await running.connections()) === 0, {
    what: "the connection is closed",
  });
}

type Got = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly body: string;
};

function expectHeaders(got: Got, expected: NonNullable<Required<Step>["gets"]["headers"]>): void {
  for (const [name, value] of Object.entries(expected)) {
    expect([name, got.headers[name] ?? null]).toEqual([name, value]);
  }
  expectDraft(got);
}

/** What holds of the draft's fields wherever they are: read by a parser that is not ours. */
function expectDraft({ headers }: Got): void {
  const [policies, limits] = ["ratelimit-policy", "ratelimit"].map((name) => headers[name]);
  if (limits === undefined) return;
  const known = parseList(policies as string).map(([name]) => name);
  const wait = headers["retry-after"];
  for (const [name, parameters] of parseList(limits as string)) {
    expect(known).toContain(name);
    const [remaining, seconds] = [parameters.get("r"), parameters.get("t")];
    expect(remaining).toBeGreaterThanOrEqual(0);
    if (wait !== undefined && seconds !== undefined) {
      expect(Number(wait)).toBeGreaterThanOrEqual(Number(seconds));
    }
  }
}
