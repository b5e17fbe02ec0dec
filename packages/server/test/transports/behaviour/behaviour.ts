/** The middleware's behaviour table, run through a transport that limits by rules. */
import { describe, expect, test } from "vitest";
import { take } from "../../../../spillway/test/http/middleware/behaviour.ts";
import type { Reply, Running } from "../../../../spillway/test/http/middleware/host.ts";
import type { Row, Step } from "../../../../spillway/test/http/middleware/row.ts";
import { rows } from "../../../../spillway/test/http/middleware/rows/index.ts";
import { type RuleSite, siteOf } from "./site.ts";

/** A transport. */
export type RuleHost = {
  readonly name: string;
  /** Starts to serve a site, whose handler answers what is admitted. */
  start(
    site: RuleSite & { readonly handle: () => Promise<Reply> },
    warnings: string[],
  ): Promise<Running>;
  /** Writes a step as a client of this transport sends it. */
  readonly asked?: (step: Step, site: RuleSite) => Step;
  /** The situations that it can't have, by the reason. */
  readonly lacks: { readonly [reason: string]: readonly string[] };
};

/** Runs every row of the table that applies. */
export function describeRules(host: RuleHost): void {
  const lacking = Object.values(host.lacks).flat();
  describe(`behaviour of ${host.name}`, () => {
    for (const row of rows) {
      if (!lacking.includes(row.situation)) test(row.situation, () => run(host, row));
    }
    test("lacks only what is in the table, each for one reason", () => {
      const situations = rows.map(({ situation }) => situation);
      expect(new Set(lacking).size).toBe(lacking.length);
      expect(lacking.filter((one) => !situations.includes(one))).toEqual([]);
    });
  });
}

async function run(host: RuleHost, row: Row): Promise<void> {
  const gone = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const site = siteOf(row, gone.promise);
  const { world, named } = site;
  const warnings: string[] = [];
  const handle = async () => {
    reached.resolve();
    return (await row.reply?.(undefined, world)) ?? {};
  };
  const running = await host.start({ ...site, handle }, warnings);
  const client = { isReached: reached.promise, gone: gone.resolve };
  for (const step of row.steps) {
    await step.before?.(world);
    const asked = host.asked?.(step, site) ?? step;
    await take(running, expecting(asked, named), client);
  }
  await running.close();
  await row.after?.(world);
  for (const [limit, key, units] of row.left ?? []) {
    const { remaining } = world.limiter.value(limit, { key });
    expect([limit, key, remaining]).toEqual([limit, key, units]);
  }
  expect(warnings).toEqual((row.warnings ?? []).map((text) => expect.stringContaining(text)));
}

/** A step whose answer names limits as rules do. */
function expecting(step: Step, named: (text: string) => string): Step {
  const { gets } = step;
  if (gets === undefined) return step;
  const { headers = {}, body } = gets;
  const values = Object.entries(headers).map(([name, value]) => [name, value && named(value)]);
  return {
    ...step,
    gets: {
      ...gets,
      headers: Object.fromEntries(values),
      ...(body !== undefined && { body: named(body) }),
    },
  };
}
