/** Checks the options of `Visitors`. */
import {
  badObject,
  badOption,
  callable,
  checkOptions,
  checkRateName,
  checkWhole,
  clock,
  given,
  type OptionsOf,
  type OptionTable,
  readOptions,
  whole,
} from "../../internal/index.ts";
import { HOUR, type Limits, MINUTE, milliseconds, SECOND } from "../../limits/core/index.ts";
import type { Challenge, VisitorsOptions } from "./contracts.ts";
import { type CookieOptions, checkedCookie } from "./cookies.ts";
import type { SigningKeys } from "./key-ring.ts";

const TABLE = {
  keys: given<SigningKeys>(),
  newIds: given<string>(),
  proofs: given<string>(),
  network: given<VisitorsOptions["network"]>(),
  challenge: callable<Challenge>(),
  // Long, because another service verifies it across a network.
  timeout: whole({ most: HOUR, otherwise: 10 * SECOND }),
  maxAge: checkedMaxAge,
  skew: whole({ least: 0, most: HOUR, otherwise: MINUTE }),
  cookie: (value: unknown) => checkedCookie(value as CookieOptions | undefined),
  clock,
} satisfies OptionTable<VisitorsOptions>;

/** The options with defaults, after their checks. */
export type VisitorsSettings = OptionsOf<typeof TABLE>;

/**
 * Checks all options except the keys.
 *
 * @throws SpillwayError `bad-option`, `bad-clock`, `unknown-field`, `unknown-limit`, `wrong-kind`
 */
export function checkedVisitors(
  limits: Limits | undefined,
  options: VisitorsOptions,
): VisitorsSettings {
  if (limits === undefined) throw badObject("limiter", limits, "a RateLimiter");
  const settings = readOptions({ of: "Visitors" }, options, TABLE);
  const { newIds, proofs, network, challenge } = settings;
  checkRateName(limits, "newIds", newIds);
  if (proofs !== undefined || challenge !== undefined) checkRateName(limits, "proofs", proofs);
  if (network === undefined) return settings;
  checkOptions("network", network, ["limit", "ipv6Prefix"]);
  checkRateName(limits, "network.limit", network.limit);
  checkWhole("network.ipv6Prefix", network.ipv6Prefix, { least: 32, most: 64 });
  return settings;
}

/** Returns how long an id is valid, in milliseconds. @throws SpillwayError `bad-option` */
function checkedMaxAge(value: unknown = "1d", field: string): number {
  const ms = milliseconds(value as VisitorsOptions["maxAge"] & {});
  if (ms !== undefined && ms >= SECOND) return ms;
  throw badOption(field, value, 'milliseconds from a second to 366 days, or text such as "1d"');
}
