/** Servers as they are, and clients that want something of them, in virtual time. */
import { type LimitedFetchOptions, limitedFetch } from "../../src/client/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

/** What a server answers. */
export type Reply = {
  /** 0: there is no answer, but an error of the network. */
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  /** Default: `{}`. */
  readonly body?: string;
  /** Milliseconds until it answers. Default: none. */
  readonly takes?: number;
  /** Called when the answer has been sent, or nobody waits for it any more. */
  readonly over?: () => void;
};

/** A request as a server receives it; `random` is the server's own. */
export type Received = {
  readonly at: number;
  readonly url: URL;
  readonly headers: Headers;
  readonly random: () => number;
};

export type Server = (request: Received) => Reply;

/** What one client sends, from the request's number on. */
export type Wish = { readonly url?: string; readonly init?: RequestInit };

export type WorldOptions = {
  readonly server: Server;
  /** Clients that know nothing of each other. Default: 1. */
  readonly clients?: number;
  /** Requests a second that all of them want together. */
  readonly wanted: number;
  /** Milliseconds. */
  readonly lasting: number;
  /** Nothing is wanted from then on. Default: `lasting`. */
  readonly until?: number;
  readonly time?: VirtualScheduler;
  readonly seed: number;
  readonly options?: LimitedFetchOptions;
  readonly wish?: (random: () => number, time: VirtualScheduler) => Wish;
};

/** A request as a server has seen it. */
export type Seen = { readonly at: number; readonly status: number; readonly url: URL };
/** A request as its caller has: `took` until its answer. */
export type Call = { readonly at: number; readonly url: string; status: number; took: number };
export type Lived = { readonly seen: readonly Seen[]; readonly calls: readonly Call[] };

const ORIGIN = "http://api.example/";

/** Runs it; what servers have seen, and what came of each call. */
export async function live(world: WorldOptions): Promise<Lived> {
  const { clients = 1, wanted, lasting, seed, options = {}, wish = (): Wish => ({}) } = world;
  const { time = new VirtualScheduler(), until = lasting } = world;
  const random = seededRandom(seed);
  const seen: Seen[] = [];
  const calls: Call[] = [];
  const network = networkOf(world, { time, random, seen });
  for (let client = 0; client < clients; client++) {
    const settings = { random, clock: time.clock, scheduler: time, ...options };
    const api = limitedFetch(network, settings) as typeof fetch;
    const call = async () => {
      const at = time.elapsed();
      const { url = ORIGIN, init } = wish(random, time);
      const made: Call = { at, url, status: 0, took: Number.POSITIVE_INFINITY };
      calls.push(made);
      const answer = await api(url, init).catch(() => undefined);
      Object.assign(made, { status: answer?.status ?? 0, took: time.elapsed() - at });
      await answer?.text().catch(() => {});
    };
    const gap = (1000 * clients) / wanted;
    const next = (at: number): void => {
      if (at >= until) return;
      time.alarm(at - time.elapsed(), () => {
        void call();
        next(at + gap * 2 * random());
      });
    };
    next(random() * gap);
  }
  await time.advance(lasting);
  return { seen, calls };
}

type Inside = {
  readonly time: VirtualScheduler;
  readonly random: () => number;
  readonly seen: Seen[];
};

/** A network of one to four milliseconds each way, which follows redirects. */
function networkOf({ server }: WorldOptions, { time, random, seen }: Inside) {
  const hop = async (input: string, init: RequestInit | undefined): Promise<Response> => {
    await time.sleep(1 + random() * 3);
    const at = time.elapsed();
    const url = new URL(input);
    const reply = server({ at, url, headers: new Headers(init?.headers), random });
    const { status, headers, takes = 0, over, body = "{}" } = reply;
    seen.push({ at, status, url });
    try {
      await sleeping(time, takes + 1 + random() * 3, init?.signal);
    } finally {
      over?.();
    }
    if (status === 0) throw new TypeError("fetch failed");
    const location = headers?.Location;
    if (status === 307 && location !== undefined) {
      const response = await hop(location, init);
      return Object.defineProperties(response, {
        url: { value: location, configurable: true },
        redirected: { value: true, configurable: true },
      });
    }
    const response = new Response(body, { status, headers: headers ?? {} });
    return Object.defineProperty(response, "url", { value: input, configurable: true });
  };
  return hop;
}

function sleeping(time: VirtualScheduler, ms: number, signal: AbortSignal | null | undefined) {
  return new Promise<void>((resolve, reject) => {
    const callOff = time.alarm(ms, resolve);
    const stop = () => {
      callOff();
      reject(signal?.reason);
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** What a token bucket of a server decides: whether there is a unit, and how much is left. */
export function bucket({ rate, capacity }: { readonly rate: number; readonly capacity: number }) {
  let left = capacity;
  let last = 0;
  const refill = (at: number, now: number) => {
    left = Math.min(capacity, left + ((now - last) * at) / 1000);
    last = now;
  };
  return {
    /** Takes so much at this instant; false where that is not there. `at` is its rate now. */
    take(now: number, count = 1, at = rate): boolean {
      refill(at, now);
      if (left < count) return false;
      left -= count;
      return true;
    },
    /** Corrects what was taken. */
    give(count: number): void {
      left = Math.min(capacity, left + count);
    },
    get left(): number {
      return Math.max(0, left);
    },
    get resetSeconds(): number {
      return (capacity - left) / rate;
    },
  };
}

/** A window of a second or so. */
export function window({ most, period }: { readonly most: number; readonly period: number }) {
  let end = 0;
  let used = 0;
  return {
    take(now: number): boolean {
      if (now >= end) {
        end = (Math.floor(now / period) + 1) * period;
        used = 0;
      }
      return ++used <= most;
    },
    get left(): number {
      return Math.max(0, most - used);
    },
    get end(): number {
      return end;
    },
  };
}

/** Shares in percent of a time: what of the rate was served, what of all that was sent was refused. */
export function sharesOf({ seen }: Pick<Lived, "seen">, span: Span & { readonly rate: number }) {
  const list = seen.filter(({ at }) => at >= span.from && at < span.to);
  const served = list.filter(({ status }) => status === 200).length;
  const refused = list.filter(({ status }) => status === 429 || status === 503).length;
  return {
    used: (100 * served * 1000) / (span.rate * (span.to - span.from)),
    refused: (100 * refused) / Math.max(1, list.length),
    sent: list.length,
  };
}

export type Span = { readonly from: number; readonly to: number };

/** Of the calls that were begun in a time: the percentage served within `within`, and the median of these. */
export function servedOf(
  calls: readonly Call[],
  { from, to, within = Number.POSITIVE_INFINITY }: Span & { readonly within?: number },
) {
  const list = calls.filter(({ at }) => at >= from && at < to);
  const served = list.filter(({ status, took }) => status === 200 && took <= within);
  const sorted = served.map(({ took }) => took).sort((one, other) => one - other);
  return {
    served: (100 * served.length) / Math.max(1, list.length),
    p50: sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY,
  };
}
