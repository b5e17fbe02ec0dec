/** Nest: the table of behaviour, and what is Nest's alone. */
import "reflect-metadata";
import { createServer, type RequestListener } from "node:http";
import { Catch, Controller, Get, HttpException, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { expect, test } from "vitest";
import {
  Decided,
  Limited,
  limited,
  type RouteDecision,
  SkipLimits,
  SpillwayModule,
} from "../../../src/http/middleware/nest/index.ts";
import { MINUTE, type RateLimitError, RateLimiter } from "../../../src/index.ts";
import { describeBehaviour } from "./behaviour.ts";
import { listening } from "./host.ts";
import { decorate, nestHosts } from "./hosts/nest.ts";
import { describeRaces } from "./races.ts";

for (const host of nestHosts) {
  describeBehaviour(host);
  describeRaces(host);
}

const limiterOf = () =>
  new RateLimiter({
    search: { kind: "token bucket", rate: 1, period: MINUTE },
    login: { kind: "token bucket", rate: 2, period: MINUTE },
  });

type Decorators = { readonly [handler: string]: readonly unknown[] };

/** A controller, each of whose handlers answers what is left. */
function controllerOf(handlers: Decorators, ...decorators: readonly unknown[]): new () => object {
  class Site {}
  for (const [name, said] of Object.entries(handlers)) {
    const answer = (decided?: RouteDecision) => String(decided?.decision?.remaining);
    Object.defineProperty(Site.prototype, name, { value: answer, configurable: true });
    Decided()(Site.prototype, name, 0);
    decorate(Site.prototype, name, Get(name), ...said);
  }
  for (const each of decorators) (each as ClassDecorator)(Site);
  Controller()(Site);
  return Site;
}

type App = { imports: object[]; controller: new () => object; filters?: object[] };

/** Sends one request after the other. */
async function answers({ imports, controller, filters = [] }: App, ...paths: string[]) {
  class Root {}
  Module({ imports: imports as never, controllers: [controller] })(Root);
  const app = await NestFactory.create(Root, { logger: false });
  app.useGlobalFilters(...(filters as never[]));
  await app.init();
  const running = await listening(
    createServer(app.getHttpAdapter().getInstance() as RequestListener),
  );
  const all: string[] = [];
  for (const path of paths) {
    const response = await fetch(`http://127.0.0.1:${running.port}/${path}`);
    all.push(`${response.status} ${await response.text()}`);
  }
  await running.close();
  return all;
}

const refused = expect.stringMatching(/^429 /);

test("a handler's limits are in place of its controller's, and these of the module's", async () => {
  const limiter = limiterOf();
  const controller = controllerOf(
    { own: [Limited({ limit: "search" })], inherited: [], free: [SkipLimits()] },
    Limited({ limit: "login" }),
  );
  const imports = [SpillwayModule.forRoot({ limiter, limit: "login", key: "all", count: 2 })];
  const paths = ["own", "own", "inherited", "inherited", "inherited", "free", "free"];
  expect(await answers({ imports, controller }, ...paths)).toEqual([
    "200 0",
    refused,
    "200 1",
    "200 0",
    refused,
    "200 undefined",
    "200 undefined",
  ]);
  expect(limiter.value("login", { key: "all" }).remaining).toBe(2);
});

test("a handler without limits of its own has the module's", async () => {
  const imports = [SpillwayModule.forRoot({ limiter: limiterOf(), limit: "search" })];
  const controller = controllerOf({ any: [] });
  expect(await answers({ imports, controller }, "any", "any")).toEqual(["200 0", refused]);
});

test("limits of several decorators are taken together or not at all", async () => {
  const limiter = limiterOf();
  const said = [Limited({ limit: "search", key: "all" }), Limited({ limit: "login", key: "all" })];
  const imports = [SpillwayModule.forRoot({ limiter })];
  const controller = controllerOf({ both: said });
  expect(await answers({ imports, controller }, "both", "both")).toEqual(["200 0", refused]);
  expect(limiter.value("login", { key: "all" }).remaining).toBe(1);
});

test("a name that is not the limiter's, or a key without a limit, lets nobody in", async () => {
  const controller = controllerOf({
    typo: [Limited({ limit: "serch" })],
    key: [Limited({ key: "all" } as never)],
    none: [Limited({ trust: 1 })],
  });
  const imports = [SpillwayModule.forRoot({ limiter: limiterOf() })];
  const broken = expect.stringMatching(/^500 /);
  const paths = ["typo", "key", "none"];
  expect(await answers({ imports, controller }, ...paths)).toEqual(paths.map(() => broken));
});

test("options of a factory, of what is injected", async () => {
  class Limits {}
  Module({ providers: [{ provide: "LIMITER", useValue: limiterOf() }], exports: ["LIMITER"] })(
    Limits,
  );
  const useFactory = async (limiter: ReturnType<typeof limiterOf>) => ({
    limiter,
    limit: "search",
  });
  const imports = [
    SpillwayModule.forRootAsync({ imports: [Limits], inject: ["LIMITER"], useFactory }),
  ];
  const controller = controllerOf({ any: [] });
  expect(await answers({ imports, controller }, "any", "any")).toEqual(["200 0", refused]);
});

test("a filter for HttpException sees status, problem and cause", async () => {
  const seen: unknown[] = [];
  class Filter {
    catch(error: HttpException, host: { switchToHttp(): { getResponse(): { end(): void } } }) {
      const { limit } = (error.cause as RateLimitError).decision;
      seen.push(error.getStatus(), (error.getResponse() as { status: number }).status, limit);
      host.switchToHttp().getResponse().end();
    }
  }
  Catch(HttpException)(Filter);
  const controller = controllerOf({ one: [Limited({ limit: "search", count: 2 })] });
  const imports = [SpillwayModule.forRoot({ limiter: limiterOf() })];
  await answers({ imports, controller, filters: [new Filter()] }, "one");
  expect(seen).toEqual([429, 429, "search"]);
});

test("Nest's own filter sends the problem document as JSON", async () => {
  const controller = controllerOf({ one: [Limited({ limit: "search", count: 2 })] });
  const imports = [SpillwayModule.forRoot({ limiter: limiterOf() })];
  const [answer = ""] = await answers({ imports, controller }, "one");
  expect(JSON.parse(answer.slice(4))).toMatchObject({
    status: 429,
    "violated-policies": ["search"],
  });
});

test("what is no HTTP passes", () => {
  const { canActivate } = limited(limiterOf(), { limit: "search", key: "all", count: 2 });
  expect(canActivate({ getType: () => "rpc" } as never)).toBe(true);
});

test.each(["onLimited", "throws"])("refuses %s, which is for filters", (field) => {
  const route = { limit: "search", [field]: true } as never;
  expect(() => limited(limiterOf(), route)).toThrow(/filters/);
});
