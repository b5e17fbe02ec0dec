/** Keeps the plans of limits that programs define themselves. */
import { planFor } from "spillway/algorithms";
import { checkLimit, SpillwayError } from "spillway/core";
import type { RemoteLimit } from "spillway/service";
import { shardPlans } from "spillway/store";
import { penaltyOf } from "spillway/support";
import { RequestError } from "../request-error.ts";
import type { RulePlan } from "../rulebook/plans.ts";

/** The maximum number of plans that are kept before all are dropped and made again. */
const MOST = 10_000;

/**
 * Returns the same plan for the same limit in two requests. So the store sees that the limit has
 * not changed.
 */
export class RemotePlans {
  readonly #known = new Map<string, RulePlan>();

  /** @throws RequestError `bad-field` if the limit is invalid. */
  of(prefix: string, { name, limit }: RemoteLimit): RulePlan {
    const id = JSON.stringify([prefix, name, limit]);
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const planned = madePlan(prefix, { name, limit });
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(id, planned);
    return planned;
  }
}

function madePlan(prefix: string, { name, limit }: RemoteLimit): RulePlan {
  try {
    checkLimit(name, limit);
    if (penaltyOf(name, limit) !== undefined) throw hasPenalty(name);
    const { whenUnavailable = "closed" } = limit;
    const shards = ("shards" in limit ? limit.shards : undefined) ?? 1;
    // No name of a rule begins with `:`, because domains are %-encoded.
    const plan = planFor(`:${encodeURIComponent(prefix)}:${name}`, limit);
    if (shards > 1) shardPlans(plan, shards);
    return { plan, settings: { whenUnavailable, shards } };
  } catch (error) {
    if (!(error instanceof SpillwayError)) throw error;
    throw new RequestError({ status: 400, code: "bad-field", detail: error.message });
  }
}

/** Returns what refuses a penalty that would not count: only refusals under rules do. */
function hasPenalty(name: string): RequestError {
  const detail =
    `Found a penalty in limit ${JSON.stringify(name)}, expected none: ` +
    "the service counts refusals under its own rules only. Define the limit in a rule file";
  return new RequestError({ status: 400, code: "bad-field", detail });
}
