/** Nest on both platforms, whose only limits are those of rules. */
import "reflect-metadata";
import {
  All,
  Controller,
  type INestApplication,
  Module,
  UseFilters,
  UseGuards,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { RateLimiter } from "spillway";
import { limited, RefusalFilter } from "spillway/nest";
import type { RuleLimits } from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";

const QUIET = { logger: false } as const;

/** On Express; returns its URL. */
export async function startNest(limits: RuleLimits): Promise<string> {
  return urlOf(await NestFactory.create(siteOf(limits, "{*path}"), QUIET));
}

/** On Fastify; returns its URL. */
export async function startNestOnFastify(limits: RuleLimits): Promise<string> {
  const platform = new FastifyAdapter({ forceCloseConnections: true });
  return urlOf(await NestFactory.create(siteOf(limits, "*"), platform, QUIET));
}

async function urlOf(app: INestApplication): Promise<string> {
  atEnd(() => app.close());
  await app.listen(0, "127.0.0.1");
  return app.getUrl();
}

/**
 * A module whose only handler serves every path; platforms spell that differently. Decorators are
 * called, not written.
 */
function siteOf(limits: RuleLimits, everyPath: string): new () => object {
  class Site {
    answer() {
      return "served";
    }
  }
  const handler = Object.getOwnPropertyDescriptor(Site.prototype, "answer") as PropertyDescriptor;
  All(everyPath)(Site.prototype, "answer", handler);
  UseGuards(limited(new RateLimiter({}), { limits, trust: 1 }))(Site);
  UseFilters(new RefusalFilter() as never)(Site);
  Controller()(Site);
  class Root {}
  Module({ controllers: [Site] })(Root);
  return Root;
}
