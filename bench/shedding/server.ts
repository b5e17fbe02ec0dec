/**
 * Run as a process of its own: a server behind one contender. It reports its port when it listens:
 * to the process that forked it, or where there is none, to whoever reads its output.
 */
import { PATHS } from "./arrivals.ts";
import type { ClientKind } from "./clients/index.ts";
import { load } from "./contenders/index.ts";
import { guarded, unguarded } from "./servers/handler.ts";
import { listenHttp, listenHttp2 } from "./servers/node.ts";
import { makeWork, type WorkName } from "./works/index.ts";
import type { Pace } from "./works/pool.ts";

/** What it is started with, as JSON in its one argument. */
export type ServerSettings = {
  readonly contender: string;
  readonly clients: ClientKind;
  readonly work: WorkName;
  /** See `makeWork`. */
  readonly paces?: readonly Pace[];
};

async function listen({ contender, clients, ...settings }: ServerSettings): Promise<number> {
  const work = makeWork(settings.work, settings.paces);
  const { guard, makeShedder } = await load(contender);
  if (guard !== undefined) return (await import("./servers/fastify.ts")).listenFastify(guard, work);
  const handler = makeShedder === undefined ? unguarded(work) : guarded(makeShedder(), work);
  return await (clients === "http2" ? listenHttp2 : listenHttp)(handler);
}

const port = await listen(JSON.parse(process.argv[2] ?? "{}"));
if (process.send !== undefined) process.send(port);
else console.log(`http://127.0.0.1:${port}${PATHS.work}`);
process.on("disconnect", () => process.exit());
