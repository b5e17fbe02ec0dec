import { Load } from "./load.ts";
import type { Open } from "./opened.ts";
import type { Assignment, OrderMessage, ReplyMessage } from "./protocol.ts";

/** Makes this process one with a client of its own, that asks as it is told: see `client-processes.ts`. */
export function serve<Client>(open: Open<Client>): void {
  const served = new Served(open);
  process.on("unhandledRejection", (error) => served.fail(error));
  process.on("uncaughtException", (error) => served.fail(error));
  process.on("disconnect", () => process.exit());
  process.on("message", (message: OrderMessage) => {
    const { id } = message;
    served.carryOut(message).then(
      (result) => reply({ id, reply: result }),
      (error) => reply({ id, error: String(error) }),
    );
  });
}

class Served<Client> {
  readonly #open: Open<Client>;
  readonly #strays: unknown[] = [];
  #load: Load | undefined;

  constructor(open: Open<Client>) {
    this.#open = open;
  }

  /** What nobody caught would end a server: here it is told. */
  fail(error: unknown): void {
    if (this.#load === undefined) this.#strays.push(error);
    else this.#load.fail(error);
  }

  async carryOut({ order, detail }: OrderMessage): Promise<unknown> {
    if (order === "connect") return this.#connect(detail as Assignment<Client>);
    const load = this.#load;
    if (load === undefined) throw new Error("connect first");
    if (order === "start") return load.start();
    if (order === "enter") return void load.enter(detail as string);
    if (order === "rest") return load.rest();
    if (order === "stop") await load.stop();
    return load.report;
  }

  async #connect(assignment: Assignment<Client>): Promise<void> {
    setClock(assignment.skew);
    this.#load = await Load.begin(assignment, await this.#open(assignment.client));
    for (const error of this.#strays.splice(0)) this.#load.fail(error);
  }
}

/** Makes this process's clock wrong, as that of any machine may be. */
function setClock(skew: number): void {
  const { now } = Date;
  Date.now = () => now() + skew;
}

function reply(message: ReplyMessage): void {
  process.send?.(message);
}
