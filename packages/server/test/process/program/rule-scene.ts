/** Rules as the limits of a route of `node:http`, until the test ends. */
import type { ServerResponse } from "node:http";
import { RateLimiter } from "spillway";
import type { Guard } from "spillway/guard";
import { limited } from "spillway/node";
import { type RuleLimits, type RuleLimitsOptions, rules } from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { START } from "../../support/service.ts";
import { ruleFile } from "./program-scene.ts";
import { listen } from "./rule-hosts.ts";

export async function opened(text: string, options: RuleLimitsOptions = {}): Promise<RuleLimits> {
  const found = await rules(ruleFile(text), { clock: () => START, ...options });
  atEnd(() => found.close());
  return found;
}

type Decided = { readonly spillway: NonNullable<Awaited<ReturnType<Guard<never>["enter"]>>> };

/** Starts a server of `node:http` whose handler waits for a function. */
export function startNode(
  limits: RuleLimits,
  handle: (request: Decided) => unknown,
  options: object = {},
): Promise<string> {
  const handler = limited(
    new RateLimiter({}),
    { limits, trust: 1, onEvent: () => {}, ...options } as never,
    async (request: Decided, response: ServerResponse) => {
      await handle(request);
      response.end();
    },
  );
  return listen(handler as never);
}
