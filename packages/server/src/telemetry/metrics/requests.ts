/** Counts requests to the transports, and measures their duration. */
import type { Defence } from "../../transports/intake/index.ts";
import { alone, counter, gauge, histogram, type Sample, type Series } from "./series.ts";
import { Buckets, entryOf, LabelledCounter } from "./tally.ts";

/** A request that has been answered. */
export type MeasuredRequest = {
  /** The requested path. */
  readonly path: string;
  /** An HTTP status, or the name of a gRPC status. */
  readonly status: number | string;
  /** Milliseconds from the start of the request until its response was written. */
  readonly ms: number;
};

export type Transport = "http" | "grpc" | "proxy";

/**
 * Paths with a series of their own. All others are `other`, because callers can request any path.
 */
export const METHODS: ReadonlyMap<string, string> = new Map([
  ...["limit", "check", "acquire", "renew", "release", "value"].map(own),
  ...["settle", "reset", "block", "unblock", "commands", "rules", "log"].map(own),
  ...["/json", "/healthcheck", "/livez", "/readyz", "/metrics", "/openapi.json"].map(same),
  ["/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit", "ShouldRateLimit"],
  ["/grpc.health.v1.Health/Check", "Health/Check"],
] as [string, string][]);

function own(name: string): [string, string] {
  return [`/v1/${name}`, `/v1/${name}`];
}

function same(path: string): [string, string] {
  return [path, path];
}

/**
 * Seconds. Decisions in memory take some 20 µs, those of a store across a network some
 * milliseconds.
 */
const BOUNDS = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1,
];

/** All defences: each has a number from the start. */
const DEFENCES: { readonly [D in Defence]: true } = {
  "connection-refused": true,
  "handshake-cut": true,
  "message-dropped": true,
  "metrics-connection-refused": true,
  "pipeline-cut": true,
  "reader-cut": true,
  "stream-refused": true,
};

type OfMethod = {
  readonly transport: Transport;
  readonly method: string;
  readonly buckets: Buckets;
  readonly statuses: LabelledCounter;
};

export class Requests {
  readonly #methods: { readonly [T in Transport]: Map<string, OfMethod> } = {
    http: new Map(),
    grpc: new Map(),
    proxy: new Map(),
  };
  readonly #defences = new LabelledCounter("defence");
  readonly #connections = new Map<Transport, () => number>();
  #held: (() => number) | undefined;

  note(transport: Transport, { path, status, ms }: MeasuredRequest): void {
    const of = this.#of(transport, path);
    of.buckets.add(ms / 1000);
    of.statuses.add(String(status));
  }

  constructor() {
    for (const defence in DEFENCES) this.#defences.add(defence, "", 0);
  }

  readonly defended = (defence: Defence): void => {
    this.#defences.add(defence);
  };

  /** Sets the function that reads how many connections a transport has. */
  count(transport: Transport, connections: () => number): void {
    this.#connections.set(transport, connections);
  }

  /** Sets the function that reads how many bytes unfinished messages hold. */
  countHeld(bytes: () => number): void {
    this.#held = bytes;
  }

  #of(transport: Transport, path: string): OfMethod {
    const method = METHODS.get(path) ?? METHODS.get(path.split("?", 1)[0] ?? "") ?? "other";
    return entryOf(this.#methods[transport], method, () => {
      return {
        transport,
        method,
        buckets: new Buckets(BOUNDS),
        statuses: new LabelledCounter("status"),
      };
    });
  }

  get series(): readonly Series[] {
    const { http, grpc, proxy } = this.#methods;
    const all = () => [...http.values(), ...grpc.values(), ...proxy.values()];
    const times = () =>
      all().map(({ transport, method, buckets }) => buckets.read({ transport, method }));
    const open = () =>
      [...this.#connections].map(([transport, read]) => ({ labels: { transport }, value: read() }));
    return [
      histogram("spillway_request_duration_seconds", { bounds: BOUNDS, read: times }),
      counter("spillway_requests_total", () => all().flatMap(statusesOf)),
      gauge("spillway_connections", open),
      gauge(
        "spillway_held_bytes",
        alone(() => this.#held?.()),
      ),
      counter("spillway_defences_total", () => this.#defences.read()),
    ];
  }
}

function statusesOf({ transport, method, statuses }: OfMethod): readonly Sample[] {
  return [...statuses.read()].map(({ labels, value }) => ({
    labels: { transport, method, ...labels },
    value,
  }));
}
