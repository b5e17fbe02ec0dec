/** A closed loop over kept connections, on each of which one request is in flight. */
import { performance } from "node:perf_hooks";
import { quantile } from "../numbers.ts";
import { Connection } from "../shedding/clients/connection.ts";

/** A request as it is sent, and the status that is due. */
export type Asked = { readonly text: string; readonly status: number };

export type Load = {
  readonly port: number;
  readonly connections: number;
  /** How many requests are sent. */
  readonly requests: number;
};

/** What was seen. */
export type Seen = {
  /** Requests a second. */
  readonly speed: number;
  /** Microseconds until half, and until 99 %, of the answers were there. */
  readonly p50: number;
  readonly p99: number;
  /** The part of a processor that sending and receiving took: near 1, it is what was measured. */
  readonly busy: number;
};

/** Sends requests in turn, again and again. @throws Error where an answer has another status */
export async function send(asked: readonly Asked[], load: Load): Promise<Seen> {
  const times: number[] = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  let sent = 0;
  const keepSending = async () => {
    const connection = new Connection(load.port, { onIdle: () => {}, onClose: () => {} });
    await connection.opened();
    while (sent < load.requests) {
      const next = asked[sent++ % asked.length] as Asked;
      const sentAt = performance.now();
      await answered(connection, next);
      times.push((performance.now() - sentAt) * 1000);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: load.connections }, keepSending));
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return {
    speed: (load.requests / ms) * 1000,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    busy: (user + system) / 1000 / ms,
  };
}

function answered(connection: Connection, { text, status: due }: Asked): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.send(text, (status) => {
      if (status === due) resolve();
      else reject(new Error(`the server answered ${status ?? "nothing"} where ${due} was due`));
    });
  });
}
