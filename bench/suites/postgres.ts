/** Decisions on a Postgres server of its own: how many, how soon, and on one hot key. */
import { performance } from "node:perf_hooks";
import { makeKeys, shuffled } from "../keys.ts";
import { askAll, inTurn, type Opened, timeEach } from "../load.ts";
import { quantile } from "../numbers.ts";
import type { PostgresContender } from "../postgres/contender.ts";
import { crowd, hot, queue } from "../postgres/index.ts";
import { Server } from "../postgres/server.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Group, Progress, Suite } from "./suite.ts";

const KEYS = shuffled(makeKeys(10_000));
const CALLERS = 64;
const ROUNDS = 15;
/** In a turn of one contender among many callers; a fraction of a second. */
const ASKS = 6000;
/** On the key that all callers ask for: they wait for each other. */
const HOT_ASKS = 1500;
/** In a turn of one contender with one caller. */
const ASKS_IN_TURN = 400;

export const postgres: Suite = async (progress) => {
  await using server = await Server.start();
  const title = `Postgres ${await server.version()}`;
  const many = { title: `${CALLERS} calls in flight on 10 connections, ${title}`, asks: ASKS };
  const one = { title: `${CALLERS} calls in flight on one key, ${title}`, asks: HOT_ASKS };
  return [
    await throughput(crowd, many, { server, progress }),
    await throughput(hot, one, { server, progress }),
    await latency(`1 ask in flight, ${title}: median`, { server, progress }),
  ];
};

type Run = { readonly server: Server; readonly progress: Progress };

async function throughput(
  contenders: readonly PostgresContender[],
  { title, asks }: { readonly title: string; readonly asks: number },
  { server, progress }: Run,
): Promise<Group> {
  const contestants = (await openAll(contenders, server)).map((opened) => busy(opened, asks));
  const shown = `${title}, decisions a millisecond`;
  const measured = await interleave(contestants, { title: shown, rounds: ROUNDS, progress });
  const unit = "decisions a second";
  return groupOf(title, measured, { figure: "speed", unit, convert: (perMs) => perMs * 1000 });
}

async function latency(title: string, { server, progress }: Run): Promise<Group> {
  const contestants = (await openAll(queue, server)).map(patient);
  const shown = `${title}, µs`;
  const measured = await interleave(contestants, { title: shown, rounds: ROUNDS, progress });
  return groupOf(title, measured, { figure: "p50", unit: "µs", suffix: " c1" });
}

/** Sets each contender up on a pool of its own. */
async function openAll(
  contenders: readonly PostgresContender[],
  server: Server,
): Promise<readonly Opened[]> {
  const all: Opened[] = [];
  for (const contender of contenders) {
    const ask = await contender.open(server.connect(), CALLERS);
    all.push({ contender, ask, nextKey: inTurn(KEYS) });
  }
  return all;
}

function busy(opened: Opened, asks: number): Contestant<{ readonly speed: number }> {
  return {
    name: opened.contender.name,
    async measure() {
      const start = performance.now();
      await askAll(opened, { asks, callers: CALLERS });
      return { speed: asks / (performance.now() - start) };
    },
  };
}

function patient(opened: Opened): Contestant<{ readonly p50: number }> {
  return {
    name: opened.contender.name,
    async measure() {
      return { p50: quantile(await timeEach(opened, ASKS_IN_TURN), 0.5) };
    },
  };
}
