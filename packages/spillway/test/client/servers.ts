/** Servers with a limit, in virtual time: they answer as real ones do, header by header. */
import { limited } from "../../src/http/middleware/fetch/index.ts";
import { RateLimiter } from "../../src/limiter/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import type { VirtualScheduler } from "./virtual-scheduler.ts";

/** Answers a request now. */
export type Answer = (request: Request) => Response | Promise<Response>;

type Limited = { readonly rate: number; readonly period: number };

/** A fixed window for all, as express-rate-limit and @fastify/rate-limit have it. */
export function fixedWindow(
  time: VirtualScheduler,
  { rate, period }: Limited,
  headersOf: (left: { limit: number; remaining: number; seconds: number; period: number }) => {
    readonly [name: string]: string;
  },
): Answer {
  let end = 0;
  let used = 0;
  return () => {
    const now = time.elapsed();
    if (now >= end) {
      end = now + period;
      used = 0;
    }
    used++;
    const seconds = Math.ceil((end - now) / 1000);
    const remaining = Math.max(0, rate - used);
    const headers = headersOf({ limit: rate, remaining, seconds, period: period / 1000 });
    const date = { Date: new Date(time.clock()).toUTCString() };
    if (used <= rate) return new Response("ok", { headers: { ...headers, ...date } });
    const retry = { "Retry-After": String(seconds) };
    return new Response("no", { status: 429, headers: { ...headers, ...date, ...retry } });
  };
}

/** nginx's `limit_req`: a leaky bucket that lets bursts through at once (`nodelay`), and says nothing. */
export function limitReq(
  time: VirtualScheduler,
  { rate, period, burst, status }: Limited & { readonly burst: number; readonly status: number },
): Answer {
  let excess = 0;
  let last = 0;
  return () => {
    const now = time.elapsed();
    const next = Math.max(0, excess - ((now - last) * rate) / period + 1);
    if (next - 1 > burst) return new Response("no", { status });
    excess = next;
    last = now;
    return new Response("ok");
  };
}

/** Says only when to come back, while it is away. */
export function away(
  time: VirtualScheduler,
  answer: Answer,
  { from, to, seconds }: { readonly from: number; readonly to: number; readonly seconds: number },
): Answer {
  return (request) => {
    const now = time.elapsed();
    if (now < from || now >= to) return answer(request);
    return new Response("away", { status: 503, headers: { "Retry-After": String(seconds) } });
  };
}

/** One of ours. */
export function ours(
  time: VirtualScheduler,
  limit: Limited & { readonly capacity?: number },
): Answer {
  const store = memoryStore({ clock: time.clock });
  const limiter = new RateLimiter({ api: { kind: "token bucket", ...limit } }, { store });
  const answer = limited(limiter, { limit: "api", key: "all" }, () => new Response("ok"));
  return answer as unknown as Answer;
}
