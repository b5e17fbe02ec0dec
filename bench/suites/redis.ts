/** Decisions on a Redis server of its own: how many, at what cost to it, how soon. */
import { performance } from "node:perf_hooks";
import { makeKeys, shuffled } from "../keys.ts";
import { askAll, inTurn, type Opened, timeEach } from "../load.ts";
import { quantile } from "../numbers.ts";
import type { RedisContender } from "../redis/contender.ts";
import { crowd, queue } from "../redis/index.ts";
import { Server } from "../redis/server.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Group, Progress, Suite } from "./suite.ts";

const KEYS = shuffled(makeKeys(10_000));
const CALLERS = 256;
const ROUNDS = 25;
/** In a turn of one contender among many callers; about a tenth of a second. */
const ASKS = 20_000;
/** In a turn of one contender with one caller; likewise. */
const ASKS_IN_TURN = 1000;

export const redis: Suite = async (progress) => {
  await using server = await Server.start();
  return [...(await throughput(server, progress)), ...(await latency(server, progress))];
};

async function throughput(server: Server, progress: Progress): Promise<readonly Group[]> {
  const title = `${CALLERS} calls in flight, Redis ${await server.version()}`;
  const contestants = (await openAll(crowd, server)).map((opened) => busy(opened, server));
  const shown = `${title}, decisions a millisecond and µs of the server`;
  const measured = await interleave(contestants, { title: shown, rounds: ROUNDS, progress });
  const unit = "decisions a second";
  const cost = { figure: "cost", suffix: " server µs", unit: "µs a decision" } as const;
  return [
    groupOf(title, measured, { figure: "speed", unit, convert: (perMs) => perMs * 1000 }),
    groupOf(`${title}: processor time of the server`, measured, cost),
  ];
}

async function latency(server: Server, progress: Progress): Promise<readonly Group[]> {
  const title = `1 ask in flight, Redis ${await server.version()}`;
  const contestants = (await openAll(queue, server)).map(patient);
  const shown = `${title}, µs until half and until 99 % of the answers`;
  const measured = await interleave(contestants, { title: shown, rounds: ROUNDS, progress });
  return [
    groupOf(`${title}: median`, measured, { figure: "p50", suffix: " c1", unit: "µs" }),
    groupOf(`${title}: 99 %`, measured, { figure: "p99", suffix: " c1 p99", unit: "µs" }),
  ];
}

/** Sets each contender up on a connection of its own. */
function openAll(
  contenders: readonly RedisContender[],
  server: Server,
): Promise<readonly Opened[]> {
  return Promise.all(
    contenders.map(async (contender) => {
      const ask = await contender.open(server.connect(), CALLERS);
      return { contender, ask, nextKey: inTurn(KEYS) };
    }),
  );
}

/** Decisions a millisecond, and microseconds of the server's processor for each. */
type Busy = { readonly speed: number; readonly cost: number };

function busy(opened: Opened, server: Server): Contestant<Busy> {
  return {
    name: opened.contender.name,
    async measure() {
      const before = await server.processorTime();
      const start = performance.now();
      await askAll(opened, { asks: ASKS, callers: CALLERS });
      const speed = ASKS / (performance.now() - start);
      const cost = ((await server.processorTime()) - before) / ASKS;
      return { speed, cost };
    },
  };
}

/** Microseconds until an answer is there. */
type Patient = { readonly p50: number; readonly p99: number };

function patient(opened: Opened): Contestant<Patient> {
  return {
    name: opened.contender.name,
    async measure() {
      const times = await timeEach(opened, ASKS_IN_TURN);
      return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
    },
  };
}
