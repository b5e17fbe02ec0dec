/**
 * The lines that `spillway serve` prints when it listens: its limits, its addresses, and requests
 * to try.
 */
import { listRules, type Rules } from "../../rules/index.ts";
import type { AdminAccess } from "../../transports/http-api/index.ts";
import { counted, listing } from "../console/index.ts";
import type { ServedPolicy } from "../options/index.ts";
import { curlLines } from "./curl-lines.ts";

/** Describes each policy for outages of the store. */
export const POLICIES: { readonly [P in ServedPolicy]: string } = {
  closed: "While the store gives no answer, limits refuse (--when-unavailable closed)",
  open: "While the store gives no answer, limits admit all (--when-unavailable open)",
  local: "While the store gives no answer, limits count in this process (--when-unavailable local)",
  error:
    "While the store gives no answer, gRPC calls fail, and HTTP refuses (--when-unavailable error)",
};

const ADMIN_CALLS: { readonly [G in AdminAccess]: string } = {
  open: "Admin calls from this machine need no token; to require one, set SPILLWAY_ADMIN_TOKEN",
  token: "Admin calls need SPILLWAY_ADMIN_TOKEN",
  closed: "Admin calls to this address are disabled; to enable them, set SPILLWAY_ADMIN_TOKEN",
};

export type WelcomeDetails = {
  readonly url: string;
  readonly host: string;
  /** The place of all state. */
  readonly where: string;
  /** Further addresses. */
  readonly places: readonly string[];
  readonly guard: AdminAccess;
  /** The policy for outages of the store; undefined for a store that can't fail. */
  readonly policy: ServedPolicy | undefined;
};

/** Returns the lines. Pure. */
export function welcome(rules: Rules, listening: WelcomeDetails): readonly string[] {
  const { url, host, where, places, guard, policy } = listening;
  const all = listRules(rules);
  return [
    `${counted(all.length, "limit")}, state in ${where}`,
    ...listing(all),
    ...places,
    `Listening on ${url}. Try:`,
    ...curlLines(rules, url).map((line) => `  ${line}`),
    ...reach(host),
    ...(policy === undefined ? [] : [POLICIES[policy]]),
    ADMIN_CALLS[guard],
  ];
}

/** Returns a warning if the service is open to the network. */
export function reach(host: string): readonly string[] {
  const everywhere = host === "0.0.0.0" || host === "::";
  return everywhere ? [`Other machines can reach it: it listens on all addresses (${host})`] : [];
}
