/**
 * Simulates a server under load, in virtual time: clients send requests, one event loop reads them,
 * and a shedder decides.
 *
 * The same scenario gives the same recording. Requests are drawn independently of their results, so
 * two shedders with the same seed meet exactly the same requests.
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

/**
 * The simulated replacements for the machine's clocks, random numbers and readings, for a shedder.
 */
export type World = {
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly random: Random;
  readonly pools: ReadonlyMap<string, Pool>;
  /**
   * Returns a reader of the share of time in which the event loop was busy, since its last call.
   */
  utilization(): Signal;
  /**
   * Returns a reader of the event delays since its last call: a quantile, in milliseconds. Default:
   * p99.
   */
  delay(rank?: number): () => number | undefined;
  /**
   * Uses the CPU for some milliseconds, as garbage collection does. Only within a callback of
   * `scheduler`.
   */
  burn(ms: number): void;
};

export type Scenario = {
  /** The seed of all random numbers. Default: 1. */
  readonly seed?: number;
  /** The time in which requests arrive, in milliseconds. */
  readonly duration: number;
  readonly traffic: readonly Traffic[];
  readonly pools?: { readonly [name: string]: PoolOptions };
  readonly server?: SimulatedServerOptions;
  readonly client?: ClientOptions;
  /** Creates the shedder. Without one, every request is admitted. */
  readonly shedder?: (world: World) => Pick<Shedder, "admit"> | undefined;
  /** The length of a bucket of the recording, in whole milliseconds. Default: 1000. */
  readonly width?: number;
};

/**
 * Runs a scenario until every attempt is answered, also those whose client no longer waits.
 *
 * It gives up if nothing has been sent or answered for as long as `duration`. The process is one
 * event loop. To simulate workers without an event loop, let `server` cost nothing and let requests
 * wait for a pool.
 *
 * @throws The error of the shedder, if it throws.
 */
export async function simulate(scenario: Scenario): Promise<Recording> {
  const { seed = 1, duration, width = 1000, server: costs = {}, client = {} } = scenario;
  const chance = seededRandom(seed);
  const nextRandom = () => seededRandom(Math.floor(chance() * 2 ** 32));
  const time = new VirtualTime();
  const recorder = new Recorder(width);
  const loop = new EventLoop(time, (burn) => recorder.burned(burn));
  const pools = openPools(time, scenario.pools);
  // Drawn even without a shedder, so that all other random numbers stay the same.
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

/** Starts a process and returns the connections to it. */
function openServer(parts: ServerParts): SimulatedConnections {
  const { time, loop, shedder, options } = parts;
  const { blocked = 0, acceptCost = 0.03, closeCost = 0.02, backlog = 511 } = options;
  if (blocked > 0) loop.deliver(() => loop.burn(blocked));
  const cpu = new Cpu(loop, options);
  // Without a shedder nothing promises anything.
  const deliver = (call: () => void) =>
    shedder === undefined ? loop.deliverPlain(call) : loop.deliver(call);
  const { read } = new SimulatedServer({ ...parts, cpu, deliver });
  const listener = new SimulatedListener({ deliver, cpu, acceptCost, backlog });
  const { signalsAborts = false } = options;
  const side = { loop, cpu, deliver, read, signalsAborts, closeCost };
  return new SimulatedConnections({ ...side, time, listener });
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
