/**
 * A server under load, in virtual time: clients send, one event loop reads, a shedder decides.
 *
 * The same scenario gives the same recording. Requests are drawn apart from what becomes of them,
 * so that two shedders with one seed meet the very same requests.
 */
import type { Clock, Random, Scheduler } from "../../limits/core/index.ts";
import type { Shedder, Signal } from "../../shedding/index.ts";
import { seededRandom } from "../seeded-random.ts";
import { startArrivals } from "./arrivals.ts";
import { Clients } from "./clients.ts";
import { SimulatedConnections } from "./connections.ts";
import { Cpu } from "./cpu.ts";
import { EventLoop } from "./event-loop.ts";
import { SimulatedListener } from "./listener.ts";
import { Pool, type PoolOptions } from "./pool.ts";
import { Recorder, type Recording } from "./recording.ts";
import { SimulatedServer, type SimulatedServerOptions } from "./server.ts";
import { type ClientOptions, drawRequest, type Traffic } from "./traffic.ts";
import { VirtualTime } from "./virtual-time.ts";

/** What a shedder is given instead of the machine's own. */
export type World = {
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: Random;
  readonly pools: ReadonlyMap<string, Pool>;
  /** Makes a reader of the share of time in which the event loop was busy, since last asked. */
  utilization(): Signal;
  /** Makes a reader of how late, in ms, events were delivered since last asked. Default: p99. */
  delay(rank?: number): () => number | undefined;
  /** Uses the CPU for some ms, as collecting garbage does; only within a callback of `scheduler`. */
  burn(ms: number): void;
};

export type Scenario = {
  /** Default: 1. */
  readonly seed?: number;
  /** Milliseconds in which requests arrive. */
  readonly duration: number;
  readonly traffic: readonly Traffic[];
  readonly pools?: { readonly [name: string]: PoolOptions };
  readonly server?: SimulatedServerOptions;
  readonly client?: ClientOptions;
  /** Makes what decides; without it, everything is admitted. */
  readonly shedder?: (world: World) => Pick<Shedder, "admit"> | undefined;
  /** Whole milliseconds that a bucket of the recording lasts. Default: 1000. */
  readonly width?: number;
};

/**
 * Plays a scenario, until every attempt has been answered: also those that nobody waits for.
 *
 * It gives up where nothing has been sent or answered for as long as `duration`. The process is one
 * event loop; for workers without one, let `server` cost nothing and requests wait for a pool.
 *
 * @throws What the shedder throws.
 */
export async function simulate(scenario: Scenario): Promise<Recording> {
  const { seed = 1, duration, width = 1000, server: costs = {}, client = {} } = scenario;
  const chance = seededRandom(seed);
  const nextRandom = () => seededRandom(Math.floor(chance() * 2 ** 32));
  const time = new VirtualTime();
  const recorder = new Recorder(width);
  const loop = new EventLoop(time, (burn) => recorder.burned(burn));
  const pools = openPools(time, scenario.pools);
  // Drawn whether there is a shedder or not: chance is to be the same for all others.
  const world = worldOf({ time, loop, pools, random: nextRandom() });
  const shedder = scenario.shedder?.(world);
  const connections = openServer({ time, loop, pools, shedder, options: costs });
  const clients = new Clients({
    time,
    random: nextRandom(),
    connections,
    recorder,
    options: client,
  });
  for (const traffic of scenario.traffic) {
    const random = nextRandom();
    const arrive = () => clients.send(drawRequest(traffic, { arrived: time.now, random }));
    startArrivals(traffic.rate, { time, random, until: duration, arrive });
  }
  await loop.run(() => isOver({ time, clients, duration }));
  return recorder.finish(duration);
}

type ServerParts = {
  readonly time: VirtualTime;
  readonly loop: EventLoop;
  readonly pools: ReadonlyMap<string, Pool>;
  readonly shedder: Pick<Shedder, "admit"> | undefined;
  readonly options: SimulatedServerOptions;
};

/** Starts a process; answers with the way to it. */
function openServer(parts: ServerParts): SimulatedConnections {
  const { time, loop, options } = parts;
  const { blocked = 0, acceptCost = 0.03, closeCost = 0.02, backlog = 511 } = options;
  if (blocked > 0) loop.deliver(() => loop.burn(blocked));
  const cpu = new Cpu(loop, options);
  const { read } = new SimulatedServer({ ...parts, cpu });
  const listener = new SimulatedListener({ loop, cpu, acceptCost, backlog });
  const { signalsAborts = false } = options;
  return new SimulatedConnections({ time, loop, cpu, read, signalsAborts, closeCost, listener });
}

function openPools(time: VirtualTime, pools: Scenario["pools"] = {}): ReadonlyMap<string, Pool> {
  return new Map(Object.entries(pools).map(([name, options]) => [name, new Pool(time, options)]));
}

type SimulationParts = {
  readonly time: VirtualTime;
  readonly loop: EventLoop;
  readonly pools: ReadonlyMap<string, Pool>;
  readonly random: Random;
};

function worldOf({ time, loop, pools, random }: SimulationParts): World {
  return {
    scheduler: loop,
    clock: time.clock,
    random,
    pools,
    utilization: () => loop.utilization(),
    delay: (rank) => loop.delay(rank),
    burn: loop.burn,
  };
}

type SimulationProgress = {
  readonly time: VirtualTime;
  readonly clients: Clients;
  readonly duration: number;
};

function isOver({ time, clients, duration }: SimulationProgress): boolean {
  if (time.now < duration || clients.retrying > 0) return false;
  return clients.unanswered === 0 || time.now > duration + clients.lastSeen;
}
