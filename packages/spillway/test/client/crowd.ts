/** Many clients that want more than a server allows, in virtual time. */
import { type LimitedFetchOptions, limitedFetch } from "../../src/client/index.ts";
import type { Scheduler } from "../../src/limits/core/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import type { Answer } from "./servers.ts";
import type { VirtualScheduler } from "./virtual-scheduler.ts";

export type CrowdOptions = {
  readonly clients: number;
  /** Requests a second that are wanted, by all of them together. */
  readonly wanted: number;
  /** Milliseconds. */
  readonly lasting: number;
  readonly seed: number;
  /** When the server answers nothing, in milliseconds. */
  readonly outage?: { readonly from: number; readonly to: number };
  /** Timers are late: each by up to so many milliseconds, and all of them until the end of a stall. */
  readonly late?: { readonly most: number; readonly every: number; readonly stall: number };
  readonly options?: LimitedFetchOptions;
};

/** One request as the server has seen it. */
export type Seen = { readonly at: number; readonly status: number };

/** Runs a crowd against a server; what the server has seen, in order. */
export async function crowd(
  time: VirtualScheduler,
  answer: Answer,
  { clients, wanted, lasting, seed, outage, late, options = {} }: CrowdOptions,
): Promise<readonly Seen[]> {
  const random = seededRandom(seed);
  const seen: Seen[] = [];
  const scheduler = late === undefined ? time : withLateTimers(time, late, random);
  const network = async (url: string) => {
    await time.sleep(1 + random() * 3);
    const at = time.elapsed();
    if (outage !== undefined && at >= outage.from && at < outage.to) {
      seen.push({ at, status: 0 });
      throw new TypeError("fetch failed");
    }
    const response = await answer(new Request(url));
    seen.push({ at, status: response.status });
    await time.sleep(1 + random() * 3);
    return response;
  };
  for (let client = 0; client < clients; client++) {
    const api = limitedFetch(network, { random, clock: time.clock, scheduler, ...options });
    const gap = (1000 * clients) / wanted;
    const next = (at: number): void => {
      if (at >= lasting) return;
      time.alarm(at - time.elapsed(), () => {
        api("http://api.example").catch(() => {});
        next(at + gap * 2 * random());
      });
    };
    next(random() * gap);
  }
  await time.advance(lasting);
  return seen;
}

function withLateTimers(
  time: VirtualScheduler,
  { most, every, stall }: NonNullable<CrowdOptions["late"]>,
  random: () => number,
): Scheduler {
  const alarm: Scheduler["alarm"] = (ms, call) => {
    if (ms <= 0) return time.alarm(ms, call);
    const at = time.elapsed() + ms + random() * most;
    const begun = at % every;
    return time.alarm(at - time.elapsed() + Math.max(0, stall - begun), call);
  };
  const { elapsed, afterTurn, afterDelay } = time;
  return { elapsed, afterTurn, afterDelay, alarm };
}

/** Requests of which an answer has been given in a time. */
export function between(seen: readonly Seen[], from: number, to: number): readonly Seen[] {
  return seen.filter(({ at }) => at >= from && at < to);
}

/** The share of refusals, and of what is allowed that was used. */
export function shares(seen: readonly Seen[], allowed: number) {
  const ok = seen.filter(({ status }) => status === 200).length;
  const refused = seen.filter(({ status }) => status === 429 || status === 503).length;
  return { refused: refused / Math.max(1, seen.length), used: ok / allowed };
}
