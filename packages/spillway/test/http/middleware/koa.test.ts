/** Koa: the table of behaviour, and what is Koa's alone. */
import { createServer } from "node:http";
import Koa from "koa";
import { expect, expectTypeOf, test } from "vitest";
import type { RouteDecision } from "../../../src/http/guard/index.ts";
import { type Limited, limited } from "../../../src/http/middleware/koa/index.ts";
import { MINUTE, RateLimitError, RateLimiter } from "../../../src/index.ts";
import { describeBehaviour } from "./behaviour.ts";
import { listening } from "./host.ts";
import { koaHost } from "./hosts/koa.ts";
import { describeRaces } from "./races.ts";

describeBehaviour(koaHost);
describeRaces(koaHost);

const limiterOf = () =>
  new RateLimiter({ search: { kind: "token bucket", rate: 1, period: MINUTE } });

/** Sends one request after the other. */
async function answers(app: Koa<Limited>, times: number): Promise<readonly string[]> {
  const running = await listening(createServer(app.callback()));
  const all: string[] = [];
  for (let sent = 0; sent < times; sent++) {
    const response = await fetch(`http://127.0.0.1:${running.port}/`);
    all.push(`${response.status} ${await response.text()}`);
  }
  await running.close();
  return all;
}

test("a middleware before it sees the refusal as Koa would send it", async () => {
  const app = new Koa<Limited>();
  app.use(async (context, next) => {
    await next();
    const problem = JSON.parse(String(context.body));
    const left = context.state.spillway?.decision?.remaining;
    context.body = `${context.status} ${context.type} ${problem.status} ${left}`;
  });
  app.use(limited(limiterOf(), { limit: "search", count: 2 }));
  expect(await answers(app, 1)).toEqual(["429 429 application/problem+json 429 1"]);
});

test("a middleware before it catches what is thrown", async () => {
  const app = new Koa<Limited>();
  app.use(async (context, next) => {
    const error = await next().catch((error) => error);
    context.status = 418;
    context.body = error instanceof RateLimitError ? error.decision.limit : "no refusal";
  });
  app.use(limited(limiterOf(), { limit: "search", count: 2, throws: true }));
  expect(await answers(app, 1)).toEqual(["418 search"]);
});

test("an answer of one's own that fails is Koa's to report", async () => {
  const app = new Koa<Limited>();
  const failures: Error[] = [];
  app.on("error", (error) => failures.push(error));
  const onLimited = async () => {
    throw new Error("no words");
  };
  app.use(limited(limiterOf(), { limit: "search", count: 2, onLimited }));
  expect(await answers(app, 1)).toEqual(["500 Internal Server Error"]);
  expect(failures).toMatchObject([{ message: "no words" }]);
});

test("what middlewares after it throw is sent, and is charged", async () => {
  const app = new Koa<Limited>();
  app.use(limited(limiterOf(), { limit: "search" }));
  app.use((context) => context.throw(402, "pay first"));
  expect(await answers(app, 1)).toEqual(["402 pay first"]);
});

test("types: the decision, and functions of Koa's contexts", () => {
  const limiter = limiterOf();
  const app = new Koa<Limited & { user: { id: string } }>();
  type Context = Koa.ParameterizedContext<Limited & { user: { id: string } }>;
  app.use(limited(limiter, { limit: "search", key: ({ state }: Context) => state.user.id }));
  app.use((context) => {
    expectTypeOf(context.state.spillway).toEqualTypeOf<RouteDecision | undefined>();
  });
  // @ts-expect-error there is no such limit
  const unknown = () => limited(limiter, { limit: "serch" });
  expect(unknown).toThrow();
});
