/** Releases and renews leases that were handed out in this process. Renewals go to the store. */
import { after, allOf, asAnswer, carriedOut } from "../../../internal/index.ts";
import type { Answer, CommandOf, Timing } from "../../../limits/core/index.ts";
import type { LeaseUnits, StoreLease } from "./lease-stock.ts";
import type { PlaceKey } from "./place-key.ts";
import type { PlaceKeys } from "./place-keys.ts";

/**
 * Takes a lease back. Units that do not stay here go back to the store, which then reports whether
 * they were held.
 */
export function releaseHere<M extends Timing>(
  keys: PlaceKeys<M>,
  command: CommandOf<"release">,
  key: PlaceKey,
): Answer<M, unknown> {
  const now = keys.now();
  const one = key.find(command.lease, now);
  if (one === undefined) return notHere(keys, command, key);
  key.release(one, now);
  const own = new Set(one.parts.map(({ lease }) => lease));
  const isHeld = one.parts.every(({ lease }) => !lease.isLost);
  const given = keys.flush(key, (lease) => own.has(lease));
  return after(keys.timing, given, (answers) => isHeld && answers.every(Boolean));
}

/** Renews a lease. Only the store knows whether it still lists the leases behind it. */
export function renewHere<M extends Timing>(
  keys: PlaceKeys<M>,
  command: CommandOf<"renew">,
  key: PlaceKey,
): Answer<M, unknown> {
  const sent = keys.now();
  const one = key.find(command.lease, sent);
  if (one === undefined) return notHere(keys, command, key);
  one.renewals++;
  const renewPart = ({ lease }: LeaseUnits) => renewAtStore(keys, key, lease);
  const call = () => allOf(keys.timing, one.parts, renewPart);
  const fail = (error: unknown): never => {
    one.renewals--;
    throw error;
  };
  const done = (answers: readonly boolean[]) => {
    one.renewals--;
    for (const [index, { lease }] of one.parts.entries())
      if (!answers[index]) key.stock.lost(lease);
    if (one.parts.every(({ lease }) => !lease.isLost)) return key.renewed(one, sent);
    key.release(one, keys.now());
    keys.flush(key);
    return false;
  };
  return carriedOut(keys.timing, call, { done, fail });
}

function renewAtStore<M extends Timing>(
  keys: PlaceKeys<M>,
  { budget }: PlaceKey,
  { id, units }: StoreLease,
): Answer<M, boolean> {
  const lease = { id, count: units };
  return keys.pass({ verb: "renew", budgets: [budget], lease }) as Answer<M, boolean>;
}

/**
 * Handles a lease that is not handed out here, or no longer. The store does not know the latter.
 */
function notHere<M extends Timing>(
  keys: PlaceKeys<M>,
  command: CommandOf<"release" | "renew">,
  key: PlaceKey,
): Answer<M, unknown> {
  const isOther = key.has(command.lease.id);
  keys.flush(key);
  return isOther ? asAnswer(keys.timing, false) : keys.pass(command);
}
