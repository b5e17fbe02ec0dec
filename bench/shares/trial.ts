/** Some processes that ask one contender, and what they and the server did meanwhile. */
import { Child } from "../child.ts";
import { Server } from "../redis/server.ts";
import type { Errand, Pace, Report } from "./setting.ts";

export type Trial = Omit<Errand, "process" | "url"> & { readonly processes: number };

export type Figures = {
  readonly decisions: number;
  readonly calls: number;
  readonly cost: number;
  /** Units admitted beyond the bound, of all keys, from the first ask on. */
  readonly over: number;
  /** What was admitted of what could have been, in percent. */
  readonly ideal: number;
};

/** Measures on a server of its own, so that nothing is known of any key. */
export async function measure({ processes, ...errand }: Trial): Promise<Figures> {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await Server.start());
  const children = Array.from({ length: processes }, (_, process) => {
    const given: Errand = { ...errand, process, url: server.url };
    return resources.use(new Child(new URL("asker.ts", import.meta.url), [JSON.stringify(given)]));
  });
  const warm = await reports(children);
  const before = await used(server);
  for (const { process } of children) process.send("go");
  const measured = await reports(children);
  const after = await used(server);
  const asked = sum(measured.flatMap((one) => [...one.asked]));
  const ms = Math.max(...measured.map(({ began, ended }) => ended - began));
  return {
    decisions: Math.round((asked / ms) * 1000),
    calls: (100 * (after.calls - before.calls)) / asked,
    cost: (after.micros - before.micros) / asked,
    ...kept([...warm, ...measured], errand.pace),
  };
}

async function reports(children: readonly Child[]): Promise<readonly Report[]> {
  return Promise.all(children.map(async (child) => (await child.message()) as Report));
}

async function used(server: Server): Promise<{ calls: number; micros: number }> {
  return { calls: await server.scriptCalls(), micros: await server.processorTime() };
}

/** Everything that was asked from the first ask to the last, beside what the limit allows in that time. */
function kept(all: readonly Report[], { rate, period }: Pace): Pick<Figures, "over" | "ideal"> {
  const from = Math.min(...all.map(({ began }) => began));
  const to = Math.max(...all.map(({ ended }) => ended));
  const bound = rate + (rate * (to - from)) / period;
  let [over, admitted, possible] = [0, 0, 0];
  for (const key of (all[0] as Report).asked.keys()) {
    const got = sum(all.map((one) => one.admitted[key] as number));
    over += Math.max(0, got - bound);
    admitted += Math.min(got, bound);
    possible += Math.min(sum(all.map((one) => one.asked[key] as number)), bound);
  }
  return { over: Math.round(over), ideal: (100 * admitted) / possible };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
