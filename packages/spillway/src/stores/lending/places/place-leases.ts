/** Leases that were handed out in this process: released here, and renewed by the store. */
import { after, allOf, asAnswer, carriedOut } from "../../../internal/index.ts";
import type { Answer, CommandOf, Mode } from "../../../limits/core/index.ts";
import type { PlaceKey } from "./place-key.ts";
import type { PlaceKeys } from "./place-keys.ts";
import type { Part, StoreLease } from "./stock.ts";

/** Takes a lease back. What of it does not stay here goes back to the store, which then says whether it was held. */
export function releaseHere<M extends Mode>(
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
  return after(keys.mode, given, (answers) => isHeld && answers.every(Boolean));
}

/** Renews a lease: the store alone knows whether it still lists what that is part of. */
export function renewHere<M extends Mode>(
  keys: PlaceKeys<M>,
  command: CommandOf<"renew">,
  key: PlaceKey,
): Answer<M, unknown> {
  const sent = keys.now();
  const one = key.find(command.lease, sent);
  if (one === undefined) return notHere(keys, command, key);
  one.renewals++;
  const renewPart = ({ lease }: Part) => renewAtStore(keys, key, lease);
  const call = () => allOf(keys.mode, one.parts, renewPart);
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
  return carriedOut(keys.mode, call, { done, fail });
}

function renewAtStore<M extends Mode>(
  keys: PlaceKeys<M>,
  { budget }: PlaceKey,
  { id, units }: StoreLease,
): Answer<M, boolean> {
  const lease = { id, count: units };
  return keys.pass({ verb: "renew", budgets: [budget], lease }) as Answer<M, boolean>;
}

/** One that is not handed out here, or not any more: the store knows nothing of the latter. */
function notHere<M extends Mode>(
  keys: PlaceKeys<M>,
  command: CommandOf<"release" | "renew">,
  key: PlaceKey,
): Answer<M, unknown> {
  const isOther = key.has(command.lease.id);
  keys.flush(key);
  return isOther ? asAnswer(keys.mode, false) : keys.pass(command);
}
