/** What is measured in a situation: shares in percent, and times of what a server does. Pure. */
import {
  type Call,
  type Seen,
  servedOf,
  sharesOf,
} from "../../../packages/spillway/test/servers/life/measures.ts";
import { tokenShares } from "../../../packages/spillway/test/servers/life/tokens.ts";
import type { Lived, Shares } from "./situation.ts";

/** What came before this part of the time is learning, where a limit has to be learnt. */
const LEARNT = 0.4;
/** Answers that are still to come when the time is over do not count: the last part. */
const LATE = 0.9;

const learnt = (lasting: number) => ({ from: LEARNT * lasting, to: lasting });

/** What of the rate was used, what of all that was sent was refused. */
export const used =
  (rate: number) =>
  ({ seen }: Lived, lasting: number): Shares =>
    shares(seen, { ...learnt(lasting), rate });

function shares(seen: readonly Seen[], span: { from: number; to: number; rate: number }): Shares {
  const { used, refused } = sharesOf({ seen }, span);
  return { used, refused };
}

/** What was served from a part of the time on, and its median in times of the server's. */
export const served =
  (takes: number, from = 0) =>
  ({ calls }: Lived, lasting: number): Shares => {
    const span = { from: from * lasting, to: LATE * lasting };
    const { p50 } = servedOf(calls, span);
    return { served: servedOf(calls, { ...span, within: 1000 }).served, p50: p50 / takes };
  };

/** Requests to the good route served within a second, and how often the other one was asked, in times of 1/s. */
export function goodServed({ seen, calls }: Lived, lasting: number): Shares {
  const bad = onRoute(seen, "/bad");
  const { refused } = sharesOf({ seen: bad }, { ...learnt(lasting), rate: 1 });
  const sent = bad.filter(({ at }) => at >= LEARNT * lasting).length;
  return {
    served: servedWithin(calls, "/good", lasting),
    "bad route": (sent * 1000) / ((1 - LEARNT) * lasting),
    refused,
  };
}

function onRoute<S extends Seen>(seen: readonly S[], path: string): readonly S[] {
  return seen.filter(({ url }) => url.pathname === path);
}

function servedWithin(calls: readonly Call[], part: string, lasting: number): number {
  const those = calls.filter(({ url }) => url.includes(part));
  return servedOf(those, { from: 0, to: LATE * lasting, within: 1000 }).served;
}

/** How often a server that hangs is asked, in times of 1/s; what is served from two seconds after its return. */
export const hung =
  (takes: number) =>
  ({ seen, calls }: Lived, lasting: number): Shares => {
    const span = { from: 0.45 * lasting, to: (2 / 3) * lasting };
    const sent = seen.filter(({ at }) => at >= span.from && at < span.to).length;
    const back = { from: (2 / 3) * lasting + 2000, to: LATE * lasting };
    const { served, p50 } = servedOf(calls, { ...back, within: 1000 });
    return { "while it hangs": (sent * 1000) / (span.to - span.from), served, p50: p50 / takes };
  };

/** The other account, whose limit nobody has met; and what of the one that is held was refused. */
export function ofAccount({ seen, calls }: Lived, lasting: number): Shares {
  return {
    served: servedWithin(calls, "#b", lasting),
    refused: sharesOf({ seen }, { from: 0, to: lasting, rate: 1 }).refused,
  };
}

/** Used when the limit is back; refused while it was low, and later. */
export function rates({ seen }: Lived, lasting: number): Shares {
  const part = (from: number, to: number, rate: number) =>
    sharesOf({ seen }, { from: from * lasting, to: to * lasting, rate });
  return {
    used: part(0.8, 1, 10).used,
    "refused while low": part(1 / 3, 2 / 3, 3).refused,
    "refused later": part(2 / 3, 1, 10).refused,
  };
}

/** What the origin that is redirected to saw, and what of its rate callers went without. */
export const redirected =
  (rate: number) =>
  ({ seen }: Lived, lasting: number): Shares =>
    shares(
      seen.filter(({ url }) => url.hostname === "localhost"),
      { ...learnt(lasting), rate },
    );

/** Used and refused by tokens. */
export const tokens =
  (rate: number) =>
  ({ seen }: Lived, lasting: number): Shares => {
    const asked = seen.map(({ at, status, cost }) => ({
      at,
      used: status === 200 ? cost : 0,
      isRefused: status === 429,
    }));
    // From one window's start to another's.
    return tokenShares(asked, { from: (5 / 11) * lasting, to: lasting, rate });
  };
