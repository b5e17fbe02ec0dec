/** What a connection costs a server: bare, under a rate, under a rate and a lease, and refused. */
import { connect } from "node:net";
import { Child } from "../child.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Suite } from "./suite.ts";

/** In turn, so that what the machine does meanwhile is shared. */
const ROUNDS = 5;
/** Connections in a round, with one request each. */
const CONNECTIONS = 2000;
const AT_ONCE = 50;

const WAYS = {
  "rate and lease": "lease",
  "rate only": "rate",
  "refused by the rate": "refusing",
  "bare node:http": "bare",
} as const;

const REQUEST = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

export const sockets: Suite = async (progress) => {
  await using servers = new AsyncDisposableStack();
  const contestants: Contestant<Time>[] = [];
  for (const [name, way] of Object.entries(WAYS)) {
    const child = servers.use(new Child(new URL("../sockets/server.ts", import.meta.url), [way]));
    const server = { child, port: Number(await child.message()) };
    contestants.push({ name, measure: async () => ({ us: await measure(server) }) });
  }
  const title = "a connection with one request";
  const shown = `${title}, µs of the server`;
  const measured = await interleave(contestants, { title: shown, rounds: ROUNDS, progress });
  return [groupOf(title, measured, { figure: "us", unit: "µs of the server" })];
};

type Time = { readonly us: number };
type Server = { readonly child: Child; readonly port: number };

/** Microseconds of CPU time that one connection took the server. */
async function measure({ child, port }: Server): Promise<number> {
  const before = await cpuTime(child);
  let left = CONNECTIONS;
  const client = async () => {
    while (left-- > 0) await request(port);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return Math.round(((await cpuTime(child)) - before) / CONNECTIONS);
}

async function cpuTime(child: Child): Promise<number> {
  const answer = child.message();
  child.process.send("cpu");
  return Number(await answer);
}

/** One connection, whatever comes of it. */
function request(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.on("error", () => {});
    socket.once("close", () => resolve());
    socket.resume();
    socket.write(REQUEST);
  });
}
