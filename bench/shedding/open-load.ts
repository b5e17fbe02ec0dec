/** An open loop: requests are sent when they are due, whatever became of the ones before. */
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { type Arrival, arrivals, healthChecks, PATHS, type Schedule } from "./arrivals.ts";
import type { Clients, Flight } from "./clients/clients.ts";
import { type ClientKind, makeClients, proberOf } from "./clients/index.ts";
import { inOrder } from "./merge.ts";
import { type Ending, type Observation, Tally } from "./tally.ts";

/** A load. */
export type OpenLoad = Schedule & {
  readonly port: number;
  readonly clients: ClientKind;
  /** Connections that are open before the load begins. Default: 0. */
  readonly opened?: number;
  /** Milliseconds at the beginning whose requests are not counted. */
  readonly warmUp: number;
  /** Milliseconds from when a request is due to when its client gives up. */
  readonly deadline: number;
};

/** Sends it, and waits until each request is answered or given up. */
export async function openLoad(load: OpenLoad): Promise<Observation> {
  using clients = makeClients(load.clients, load.port);
  using prober = makeClients(proberOf(load.clients), load.port);
  if (load.opened !== undefined) await clients.open(load.opened);
  const run = new Run(load, { clients, prober });
  do await setTimeout(1);
  while (run.proceed());
  return run.tally.observation();
}

/** A request that has no answer yet. */
type Pending = { readonly arrival: Arrival; flight: Flight | undefined };

/** Whoever sends the load, and whoever looks whether the server is alive. */
type Senders = { readonly clients: Clients; readonly prober: Clients };

class Run {
  readonly tally = new Tally();
  readonly #load: OpenLoad;
  readonly #senders: Senders;
  readonly #coming: Generator<Arrival, void>;
  /** The one that is due first comes first. */
  readonly #pending = new Set<Pending>();
  readonly #start = performance.now();
  #next: Arrival | undefined;

  constructor(load: OpenLoad, senders: Senders) {
    this.#load = load;
    this.#senders = senders;
    this.#coming = inOrder(arrivals(load), healthChecks(load));
    this.#next = this.#coming.next().value ?? undefined;
  }

  /** Sends what is due, gives up what is overdue; whether there is anything left to do. */
  proceed(): boolean {
    this.#giveUp();
    while (this.#next !== undefined && this.#next.due <= this.#now()) {
      this.#send(this.#next);
      this.#next = this.#coming.next().value ?? undefined;
    }
    return this.#next !== undefined || this.#pending.size > 0;
  }

  #now(): number {
    return performance.now() - this.#start;
  }

  #send(arrival: Arrival): void {
    const { clients, prober } = this.#senders;
    const pending: Pending = { arrival, flight: undefined };
    const late = this.#now() - arrival.due;
    this.#pending.add(pending);
    const sender = arrival.path === PATHS.health ? prober : clients;
    pending.flight = sender.send(arrival, (status) => this.#end(pending, status));
    const isUnsent = pending.flight === undefined;
    if (this.#isCounted(arrival)) this.tally.sent({ late, isUnsent });
    if (isUnsent) this.#end(pending, undefined);
  }

  #giveUp(): void {
    const overdue = this.#now() - this.#load.deadline;
    for (const pending of this.#pending) {
      if (pending.arrival.due > overdue) return;
      this.#end(pending, undefined);
      pending.flight?.abort();
    }
  }

  /** Only the first time: a request that was given up may be answered or closed later. */
  #end(pending: Pending, status: number | undefined): void {
    const { arrival } = pending;
    if (!this.#pending.delete(pending) || !this.#isCounted(arrival)) return;
    const ms = this.#now() - arrival.due;
    const ending = ms > this.#load.deadline ? "failed" : endingOf(status);
    const due = arrival.due - this.#load.warmUp;
    this.tally.ended({ ...arrival, due }, { ending, ms });
  }

  #isCounted({ due }: Arrival): boolean {
    return due >= this.#load.warmUp;
  }
}

function endingOf(status: number | undefined): Ending {
  if (status === 200) return "served";
  return status === 503 ? "shed" : "failed";
}
