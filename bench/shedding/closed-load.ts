/** A closed loop: a few senders, each of whom waits for its answer. The result is the room. */
import { performance } from "node:perf_hooks";
import { PATHS } from "./arrivals.ts";
import type { Clients } from "./clients/clients.ts";
import { type ClientKind, makeClients } from "./clients/index.ts";

/** A load. */
export type ClosedLoad = {
  readonly port: number;
  readonly clients: ClientKind;
  readonly senders: number;
  /** Answers before any is counted. */
  readonly settle: number;
  /** Answers that are. */
  readonly measured: number;
};

/** Answers a second. @throws Error where one is not 200 */
export async function closedLoad(load: ClosedLoad): Promise<number> {
  using clients = makeClients(load.clients, load.port);
  let answers = 0;
  let start = performance.now();
  const keepSending = async () => {
    while (answers < load.settle + load.measured) {
      await answered(clients);
      if (++answers === load.settle) start = performance.now();
    }
  };
  await Promise.all(Array.from({ length: load.senders }, keepSending));
  return ((answers - load.settle) / (performance.now() - start)) * 1000;
}

function answered(clients: Clients): Promise<void> {
  return new Promise((resolve, reject) => {
    clients.send({ path: PATHS.work, priority: "normal" }, (status) => {
      if (status === 200) resolve();
      else reject(new Error(`the server answered ${status ?? "nothing"} where 200 was due`));
    });
  });
}
