/** Whether `Visitors` can be made of what is given. */
import {
  badObject,
  badOption,
  checkFunction,
  checkOptions,
  checkRateName,
  checkWhole,
} from "../../internal/index.ts";
import { HOUR, type Limits, milliseconds, SECOND } from "../../limits/core/index.ts";
import type { VisitorsOptions } from "./contracts.ts";

const FIELDS = [
  "keys",
  "newIds",
  "proofs",
  "network",
  "challenge",
  "timeout",
  "maxAge",
  "skew",
  "cookie",
  "clock",
];

/** @throws SpillwayError `bad-option`, `unknown-field`, `unknown-limit`, `wrong-kind` */
export function checkVisitorsOptions(limits: Limits | undefined, options: VisitorsOptions): void {
  if (limits === undefined) throw badObject("limiter", limits, "a RateLimiter");
  checkOptions("Visitors", options, FIELDS);
  const { newIds, proofs, network, challenge, timeout = 1, skew = 0, clock } = options;
  checkRateName(limits, "newIds", newIds);
  if (proofs !== undefined || challenge !== undefined) checkRateName(limits, "proofs", proofs);
  if (network !== undefined) {
    checkOptions("network", network, ["limit", "ipv6Prefix"]);
    checkRateName(limits, "network.limit", network.limit);
    checkWhole("network.ipv6Prefix", network.ipv6Prefix, { least: 32, most: 64 });
  }
  checkFunction("challenge", challenge);
  checkWhole("timeout", timeout, { most: HOUR });
  checkFunction("clock", clock);
  checkWhole("skew", skew, { least: 0, most: HOUR });
}

/** How long an id holds, in milliseconds. @throws SpillwayError `bad-option` */
export function checkedMaxAge({ maxAge = "1d" }: VisitorsOptions): number {
  const ms = milliseconds(maxAge);
  if (ms !== undefined && ms >= SECOND) return ms;
  throw badOption("maxAge", maxAge, 'milliseconds from a second to 366 days, or text such as "1d"');
}
