/** Servers as they are, by what they answer at an instant: in virtual time in `life.ts`, over sockets in `bench/`. */
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

export const OK: Reply = { status: 200 };
export const SILENT: Reply = { status: 429 };
export const BUSY: Reply = { status: 503 };
export const after = (seconds: number): Reply => ({
  status: 429,
  headers: { "Retry-After": String(seconds) },
});
export const slowly =
  (takes: number, server: Server): Server =>
  (request) => {
    const reply = server(request);
    return reply.status === 200 ? { takes, ...reply } : reply;
  };

/** A token bucket that refuses with `reply`. */
export function limited(rate: number, reply: Reply, capacity = rate): Server {
  const units = bucket({ rate, capacity });
  return ({ at }) => (units.take(at) ? OK : reply);
}

export function windowed(most: number, period: number, reply: Reply): Server {
  const units = window({ most, period });
  return ({ at }) => (units.take(at) ? OK : reply);
}

/** As OpenAI has them: a bucket of a minute, what is left of it, and when it is full. */
export function openai(rate: number, takes: number, capacity = rate * 60): Server {
  const units = bucket({ rate, capacity });
  return ({ at }) => {
    const isIn = units.take(at);
    const headers = {
      "x-ratelimit-limit-requests": String(capacity),
      "x-ratelimit-remaining-requests": String(Math.floor(units.left)),
      "x-ratelimit-reset-requests": `${units.resetSeconds.toFixed(3)}s`,
    };
    if (isIn) return { status: 200, headers, takes };
    return { status: 429, headers: { ...headers, "Retry-After": "1" } };
  };
}

/** Some of all answers are 503s, and mean nothing. */
export const stray =
  (share: (at: number) => number, server: Server = () => ({ ...OK, takes: 20 })): Server =>
  (request) =>
    request.random() < share(request.at) ? BUSY : server(request);

/** All of its answers are slow, refusals too. */
export const allSlowly =
  (takes: number, server: Server): Server =>
  (request) => ({ ...server(request), takes });

/** One path that answers in a way of its own. */
export const withRoute =
  (route: Server, server: Server = () => ({ ...OK, takes: 20 })): Server =>
  (request) =>
    request.url.pathname.startsWith("/bad") ? route(request) : server(request);

/** A token bucket whose rate is another at times. */
export function changing(rateAt: (at: number) => number, reply: Reply): Server {
  const units = bucket({ rate: rateAt(0), capacity: rateAt(0) });
  return ({ at }) => (units.take(at, 1, rateAt(at)) ? { ...OK, takes: 20 } : reply);
}

/** One host that sends all to another, which has a limit. */
export const redirecting =
  (to: { readonly host: string; readonly origin: string }, server: Server): Server =>
  (request) => {
    if (request.url.hostname === to.host) return server(request);
    return { status: 307, headers: { Location: `${to.origin}${request.url.pathname}` } };
  };

/** At most so many at once, and silent refusals. */
export function underWayAtMost(most: number): Server {
  let underWay = 0;
  return ({ random }) => {
    if (underWay >= most) return SILENT;
    underWay++;
    return { status: 200, takes: 150 + 100 * random(), over: () => void underWay-- };
  };
}

/** Does not answer for a while. */
export const hanging =
  (from: number, to: number): Server =>
  ({ at }) => ({ status: 200, takes: at >= from && at < to ? 10 * 60_000 : 20 });
