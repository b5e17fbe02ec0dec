/** Providers that count tokens, by the rules that they document, in virtual time. */
import { bucket, type Received, type Reply, type Server } from "./models.ts";

/** What a request uses by its caller's estimate, and really. */
export type Cost = { readonly estimate: number; readonly actual: number };

/** When a provider counts what: what is used, from the start; an estimate, set right at the end or never; all at the end. */
export type Counting = "actual" | "settled" | "estimated" | "late";

export type Provider = {
  readonly rate: number;
  readonly takes: (random: () => number) => number;
  readonly counting: Counting;
  readonly headers: (left: Left) => { readonly [name: string]: string };
  /** A window, in which all of it comes back at once. Default: a bucket. */
  readonly period?: number;
};

export type Left = {
  readonly capacity: number;
  readonly left: number;
  readonly resetMs: number;
  readonly at: number;
};

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

/** OpenAI's: to the token, and to the millisecond. */
export const openai = ({ capacity, left, resetMs }: Left) => ({
  "x-ratelimit-limit-tokens": String(capacity),
  "x-ratelimit-remaining-tokens": String(Math.floor(left)),
  "x-ratelimit-reset-tokens": `${Math.ceil(resetMs)}ms`,
});

/** Anthropic's: thousands of tokens, and dates. */
export const anthropic = ({ capacity, left, resetMs, at }: Left) => ({
  "anthropic-ratelimit-tokens-limit": String(capacity),
  "anthropic-ratelimit-tokens-remaining": String(Math.round(left / 1000) * 1000),
  "anthropic-ratelimit-tokens-reset": new Date(
    Math.ceil((START + at + resetMs) / 1000) * 1000,
  ).toISOString(),
  Date: new Date(START + at).toUTCString(),
});

/** Azure's: what is left, and no time. */
export const azure = ({ left }: Left) => ({
  "x-ratelimit-remaining-tokens": String(Math.floor(left)),
});

/** What a provider has seen. */
export type Asked = { readonly at: number; readonly used: number; readonly isRefused: boolean };

/** A minute's quota, or that of a window, in tokens; and what was asked of it. */
export function tokenServer(provider: Provider): { server: Server; asked: Asked[] } {
  const { rate, counting, takes, headers, period } = provider;
  const asked: Asked[] = [];
  const quota = period === undefined ? rolling(rate) : windowed(rate, period);
  const server: Server = (request) => {
    const { at, random } = request;
    const { estimate, actual } = costOf(request);
    const charged = { actual, settled: estimate, estimated: estimate, late: 1 }[counting];
    const isIn = quota.take(at, charged);
    const used = counting === "estimated" ? estimate : actual;
    asked.push({ at, used: isIn ? used : 0, isRefused: !isIn });
    const says = { ...headers(quota.said(at)), "content-type": "application/json" };
    if (!isIn)
      return { status: 429, headers: { ...says, "Retry-After": String(quota.retry(charged)) } };
    const over = () => quota.give(isSettled(counting) ? charged - actual : 0);
    const usage = { prompt_tokens: 0, completion_tokens: actual, total_tokens: actual };
    return {
      status: 200,
      headers: says,
      takes: takes(random),
      over,
      body: JSON.stringify({ usage }),
    };
  };
  return { server, asked };
}

const isSettled = (counting: Counting) => counting === "settled" || counting === "late";

function rolling(rate: number) {
  const units = bucket({ rate, capacity: rate * 60 });
  let debt = 0;
  return {
    take(at: number, count: number): boolean {
      const isIn = units.take(at, count + debt);
      if (isIn) debt = 0;
      return isIn;
    },
    give(count: number): void {
      if (count < 0) debt -= count;
      else units.give(count);
    },
    said: (at: number): Left => {
      units.take(at, 0);
      const left = Math.max(0, units.left - debt);
      return { capacity: rate * 60, left, resetMs: ((rate * 60 - left) / rate) * 1000, at };
    },
    retry: (count: number) => Math.max(1, Math.ceil((count + debt - units.left) / rate)),
  };
}

function windowed(rate: number, period: number) {
  const capacity = (rate * period) / 1000;
  let end = 0;
  let used = 0;
  let now = 0;
  const pass = (at: number) => {
    now = at;
    if (at < end) return;
    end = (Math.floor(at / period) + 1) * period;
    used = 0;
  };
  return {
    take(at: number, count: number): boolean {
      pass(at);
      if (used + count > capacity) return false;
      used += count;
      return true;
    },
    give(count: number): void {
      used = Math.max(0, used - count);
    },
    said(at: number): Left {
      pass(at);
      return { capacity, left: Math.max(0, capacity - used), resetMs: end - at, at };
    },
    retry: () => Math.ceil((end - now) / 1000),
  };
}

function costOf({ headers }: Received): Cost {
  return { estimate: Number(headers.get("x-estimate")), actual: Number(headers.get("x-actual")) };
}

/** Shares in percent of a time: what of the rate was used, and what of all that was sent was refused. */
export function tokenShares(
  asked: readonly Asked[],
  { from, to, rate }: { readonly from: number; readonly to: number; readonly rate: number },
) {
  const list = asked.filter(({ at }) => at >= from && at < to);
  const used = list.reduce((sum, each) => sum + each.used, 0);
  const refused = list.filter(({ isRefused }) => isRefused).length;
  return {
    used: (100 * used * 1000) / (rate * (to - from)),
    refused: (100 * refused) / Math.max(1, list.length),
  };
}

export type { Reply };
export { MINUTE };
