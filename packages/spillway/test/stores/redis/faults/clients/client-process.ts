/** A process with a client of its own, that asks as it is told to: see `client-processes.ts`. */
import { Load } from "./load.ts";
import type { Assignment, OrderMessage, ReplyMessage } from "./protocol.ts";

let load: Load | undefined;
const strays: unknown[] = [];

/** What nobody caught would end a server: here it is told. */
function stray(error: unknown): void {
  if (load === undefined) strays.push(error);
  else load.fail(error);
}

/** Makes this process's clock wrong, as that of any machine may be. */
function setClock(skew: number): void {
  const { now } = Date;
  Date.now = () => now() + skew;
}

async function carryOut({ order, detail }: OrderMessage): Promise<unknown> {
  if (order === "connect") {
    const assignment = detail as Assignment;
    setClock(assignment.skew);
    load = await Load.begin(assignment);
    for (const error of strays.splice(0)) load.fail(error);
    return undefined;
  }
  if (load === undefined) throw new Error("connect first");
  if (order === "start") return load.start();
  if (order === "enter") return void load.enter(detail as string);
  if (order === "stop") await load.stop();
  return load.report;
}

function reply(message: ReplyMessage): void {
  process.send?.(message);
}

process.on("unhandledRejection", stray);
process.on("uncaughtException", stray);
process.on("disconnect", () => process.exit());
process.on("message", (message: OrderMessage) => {
  const { id } = message;
  carryOut(message).then(
    (result) => reply({ id, reply: result }),
    (error) => reply({ id, error: String(error) }),
  );
});
