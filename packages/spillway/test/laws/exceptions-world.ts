/** Blocks and overrides that come and go at random, and a model of what `exceptions` then lists. */
import fc from "fast-check";
import { expect } from "vitest";
import type { ExceptionPage, KeyException, RateLimiter } from "../../src/index.ts";
import type { Limits, Timing } from "../../src/limits/core/index.ts";
import type { ManualClock } from "../../src/testing/index.ts";

export const LIMITS = {
  api: { kind: "token bucket", rate: 10, period: "1m" },
  jobs: { kind: "concurrency", capacity: 2, ttl: "1m" },
  login: { kind: "sliding log", rate: 5, period: "15m" },
} as const satisfies Limits;

type Limiter = RateLimiter<typeof LIMITS, Timing>;

type Whose = { readonly limit: keyof typeof LIMITS; readonly key: { readonly key?: string } };

type Beginning = Whose & {
  readonly call: "block" | "override";
  readonly ms: number;
  readonly reason?: string;
};

/** What happens: an exception begins or ends, something else is done with the key, or time passes. */
type Event =
  | Beginning
  | (Whose & { readonly call: "unblock" | "endOverride" | "reset" | "use" })
  | { readonly call: "pass"; readonly ms: number };

const whose = {
  limit: fc.constantFrom("api", "jobs", "login"),
  key: fc.constantFrom({}, { key: "" }, { key: "a" }, { key: "a.b" }, { key: "ü😀" }),
} as const;
const ms = fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 9_000_000 }));
const reason = fc.constantFrom(undefined, "scraping", "ticket 4711: \"x\" '\\' {1}, ü😀");

const begins = fc
  .record({ ...whose, call: fc.constantFrom("block", "override"), ms, reason })
  .map(({ reason, ...event }): Event => ({ ...event, ...(reason !== undefined && { reason }) }));
const ends = fc.record({
  ...whose,
  call: fc.constantFrom("unblock", "endOverride", "reset", "use"),
} as const);

export const event: fc.Arbitrary<Event> = fc.oneof(
  { arbitrary: begins, weight: 4 },
  { arbitrary: ends, weight: 3 },
  { arbitrary: fc.record({ call: fc.constant("pass"), ms } as const), weight: 2 },
);

/** A page of every size lists the same. */
export const most = fc.integer({ min: 1, max: 5 });

/** What the calls of a limiter have put in force. */
export class ExceptionModel {
  readonly #clock: ManualClock;
  readonly #all = new Map<string, KeyException & { readonly until: number }>();

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** Carries out what happens, on a limiter and here. */
  async play(limiter: Limiter, event: Event): Promise<void> {
    if (event.call === "pass") {
      this.#clock.advance(event.ms);
      return;
    }
    const { limit, key, call } = event;
    if (call === "reset") await limiter.reset(limit, key);
    else if (call === "use") await limiter.value(limit, key);
    else if (call === "unblock" || call === "endOverride") await limiter[call](limit, key);
    else if ("ms" in event) await this.#begin(limiter, event);
    if (call === "unblock") this.#all.delete(idOf(event, "block"));
    if (call === "endOverride") this.#all.delete(idOf(event, "override"));
  }

  async #begin(limiter: Limiter, { limit, key, call, ms, reason }: Beginning): Promise<void> {
    const options = { ...key, for: ms, ...(reason !== undefined && { reason }) };
    if (call === "block") await limiter.block(limit, options);
    else await limiter.override(limit, { ...options, unlimited: true });
    const now = this.#clock();
    this.#all.set(idOf({ limit, key }, call), {
      limit,
      key: key.key,
      type: call,
      reason,
      since: now,
      endsAfter: ms,
      until: now + ms,
    });
  }

  /** What is in force, in the order of a list. */
  get inForce(): readonly KeyException[] {
    const now = this.#clock();
    const all = [...this.#all.values()].filter(({ until }) => until > now);
    return all
      .map(({ until, ...one }) => ({ ...one, endsAfter: until - now }))
      .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  }
}

function idOf({ limit, key }: Whose, type: string): string {
  return JSON.stringify([limit, key.key ?? null, type]);
}

/** A limit's global budget comes first; the keys here are in this order also with a text behind them. */
function sortKey({ limit, key, type }: KeyException): string {
  return [limit, key === undefined ? "\0" : `\u0001${key}`, type].join("\0");
}

/** All pages. @param between Called after each page. */
export async function listed(
  limiter: Limiter,
  most: number,
  between: () => Promise<void> = async () => {},
): Promise<readonly KeyException[]> {
  const all: KeyException[] = [];
  let after: string | undefined;
  do {
    const page: ExceptionPage = await limiter.exceptions({ most, after });
    all.push(...page.exceptions);
    after = page.next;
    if (after !== undefined) await between();
  } while (after !== undefined);
  return all;
}

/** A limiter over an empty store, and the clock of both. */
export type OpenLimiter = (clock: ManualClock) => Promise<Limiter> | Limiter;

/** Whether the list is what the model says, after each of many events. */
export function listsWhatIsInForce(open: OpenLimiter, clockOf: () => ManualClock) {
  return fc.asyncProperty(fc.array(event, { maxLength: 25 }), most, async (events, most) => {
    const clock = clockOf();
    const limiter = await open(clock);
    const model = new ExceptionModel(clock);
    for (const one of events) {
      await model.play(limiter, one);
      expect(await listed(limiter, most)).toEqual(model.inForce);
    }
  });
}

/** Whether pages show once what is in force from the first to the last, though others come and go. */
export function pagesThroughWhatStays(open: OpenLimiter, clockOf: () => ManualClock) {
  const many = fc.array(event, { minLength: 10, maxLength: 30 });
  return fc.asyncProperty(many, fc.array(event), most, async (before, meanwhile, most) => {
    const clock = clockOf();
    const limiter = await open(clock);
    const model = new ExceptionModel(clock);
    for (const one of before) await model.play(limiter, one);
    const names = () => model.inForce.map(nameOf);
    let stayed = names();
    const rest = meanwhile.values();
    const seen = await listed(limiter, most, async () => {
      const { value } = rest.next();
      if (value !== undefined) await model.play(limiter, value);
      const now = new Set(names());
      stayed = stayed.filter((one) => now.has(one));
    });
    const all = seen.map(nameOf);
    expect(new Set(all).size, "none twice").toBe(all.length);
    expect(all, "all that stayed").toEqual(expect.arrayContaining(stayed));
  });
}

function nameOf({ limit, key, type }: KeyException): string {
  return JSON.stringify([limit, key ?? null, type]);
}
