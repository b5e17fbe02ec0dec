/** Servers as they are, and clients that want something of them, in virtual time. */
import { type LimitedFetchOptions, limitedFetch } from "../../src/client/index.ts";
import { seededRandom } from "../../src/testing/index.ts";
import type { Call, Seen } from "../servers/life/measures.ts";
import type { Server } from "../servers/life/models.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

export { type Call, type Seen, type Span, servedOf, sharesOf } from "../servers/life/measures.ts";
export { bucket, type Received, type Reply, type Server, window } from "../servers/life/models.ts";

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
