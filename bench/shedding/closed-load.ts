/** A closed loop: a few senders, each of whom waits for its answer. What comes out is capacity. */
import { performance } from "node:perf_hooks";
import { requestText } from "./answer.ts";
import { Pool } from "./connection.ts";

/** A load, in milliseconds. */
export type ClosedLoad = {
  readonly port: number;
  readonly connections: number;
  /** Before answers are counted. */
  readonly settle: number;
  /** While they are. */
  readonly measured: number;
};

/** Answers a second. @throws Error where one is not 200 */
export async function closedLoad(load: ClosedLoad): Promise<number> {
  using pool = new Pool({ port: load.port, most: load.connections });
  const start = performance.now() + load.settle;
  const end = start + load.measured;
  const senders = Array.from({ length: load.connections }, (_, index) =>
    sendAgainAndAgain(pool, { user: `user:${index}`, start, end }),
  );
  const counts = await Promise.all(senders);
  return (counts.reduce((sum, count) => sum + count) / load.measured) * 1000;
}

type Sender = { readonly user: string; readonly start: number; readonly end: number };

/** How many of its requests were answered between start and end. */
async function sendAgainAndAgain(pool: Pool, { user, start, end }: Sender): Promise<number> {
  const text = requestText({ priority: "normal", user });
  for (let counted = 0; ; ) {
    await answered(pool, text);
    const now = performance.now();
    if (now >= end) return counted;
    if (now >= start) counted++;
  }
}

function answered(pool: Pool, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.send(text, (status) => {
      if (status === 200) resolve();
      else reject(new Error(`the server answered ${status ?? "nothing"} where 200 was due`));
    });
  });
}
