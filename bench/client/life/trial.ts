/** A situation with some clients at once, each with a server of its own: a process for each of both. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "../../../packages/spillway/test/servers/life/measures.ts";
import { Child } from "../../child.ts";
import { LASTING, type SeenRequest, type Shares, type Situation } from "./situation.ts";

/** The clients that a situation is shown with; ours first. */
export function clientsOf({ peer }: Situation): readonly string[] {
  return ["spillway", "bare fetch", peer];
}

/** Shares by client. */
export async function trial(
  situation: Situation,
  lasting = LASTING,
): Promise<ReadonlyMap<string, Shares>> {
  const kinds = clientsOf(situation);
  const shares = await Promise.all(kinds.map((kind) => alone(situation, kind, lasting)));
  return new Map(kinds.map((kind, index) => [kind, shares[index] as Shares]));
}

/** One client and its server. */
async function alone(situation: Situation, kind: string, lasting: number): Promise<Shares> {
  await using resources = new AsyncDisposableStack();
  const start = (file: string, args: readonly string[]) =>
    resources.use(new Child(new URL(file, import.meta.url), args));
  const server = start("server.ts", [situation.name, `${lasting}`]);
  const port = (await server.message()) as number;
  const client = start("client.ts", [situation.name, kind, `${lasting}`]);
  await client.message();
  const began = Date.now();
  server.process.send({ began });
  client.process.send({ began, port });
  await sleep(lasting);
  const calls = (await report(client)) as readonly Call[];
  const seen = (await report(server)) as readonly (Omit<SeenRequest, "url"> & { url: string })[];
  const parsed = seen.map((one) => ({ ...one, url: new URL(one.url) }));
  return situation.measure({ seen: parsed, calls }, lasting);
}

function report(child: Child): Promise<unknown> {
  const answer = child.message();
  child.process.send("report");
  return answer;
}
