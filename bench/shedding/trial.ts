/** Puts one contender's server under load after load. */
import { Generator, startServer } from "./child.ts";
import { DEADLINE } from "./contenders/contender.ts";
import type { Observation } from "./tally.ts";
import type { Effort } from "./work.ts";

/** How long everything takes, in milliseconds, and how much there is of it. */
export type Plan = {
  /** The processor time of one request. */
  readonly cost: number;
  /** See `Effort`. */
  readonly turns: number;
  /** How often more requests come than the server can answer; in this order. */
  readonly loads: readonly number[];
  /** At half of what the server can answer, once, so that its code is compiled. */
  readonly warmUp: number;
  /** Before the requests of a load are counted. */
  readonly settle: number;
  /** While they are. */
  readonly measured: number;
};

/** Answers a second that a server gives that refuses nothing, to four who wait for them. */
export async function capacityOf(effort: Effort, { warmUp, measured }: Plan): Promise<number> {
  await using server = await startServer({ contender: "none", effort });
  await using generator = new Generator();
  return await generator.closed({ port: server.port, connections: 4, settle: warmUp, measured });
}

/** What does not change from contender to contender. */
export type Setting = {
  readonly plan: Plan;
  readonly effort: Effort;
  /** Requests a second. */
  readonly capacity: number;
};

/** What was seen of each of the plan's loads, in their order. */
export async function trial(contender: string, setting: Setting): Promise<readonly Observation[]> {
  const { plan, effort, capacity } = setting;
  await using server = await startServer({ contender, effort });
  await using generator = new Generator();
  const times = { port: server.port, deadline: DEADLINE };
  const warm = { ...times, settle: 0, measured: plan.warmUp };
  await generator.open({ ...warm, rate: capacity / 2, seed: 1 });
  const seen: Observation[] = [];
  for (const [index, load] of plan.loads.entries()) {
    const { settle, measured } = plan;
    const stream = { rate: load * capacity, seed: index + 2 };
    seen.push(await generator.open({ ...times, ...stream, settle, measured }));
  }
  return seen;
}
