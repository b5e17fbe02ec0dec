import type { Admission, Shedder, Work } from "../../shedding/index.ts";
import type { IncomingExchange } from "./connection.ts";
import type { Cpu, SimulatedCpuOptions, Task } from "./cpu.ts";
import type { EventLoop } from "./event-loop.ts";
import type { Pool } from "./pool.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** What the server itself costs, and how it starts. */
export type SimulatedServerOptions = SimulatedCpuOptions & {
  /** CPU time in ms to read and parse a request, whatever becomes of it. Default: 0.02. */
  readonly overhead?: number;
  /** CPU time in ms to answer with a refusal. Default: 0.03. */
  readonly refusalCost?: number;
  /** CPU time in ms to accept a connection. Default: 0.03. */
  readonly acceptCost?: number;
  /** CPU time in ms to close one that its client has closed. Default: 0.02. */
  readonly closeCost?: number;
  /** How many connections wait to be accepted at most. Default: 511, as in Node. */
  readonly backlog?: number;
  /**
   * Milliseconds for which the process is busy with itself at first. Default: 0.
   *
   * Its listening socket is open all the while: connections wait there.
   */
  readonly blocked?: number;
  /** Gives the shedder, as `signal`, an `AbortSignal` of the client's going. Default: false. */
  readonly signalsAborts?: boolean;
};

type SimulatedServerParts = {
  readonly time: VirtualTime;
  readonly loop: EventLoop;
  readonly cpu: Cpu;
  readonly pools: ReadonlyMap<string, Pool>;
  readonly shedder: Pick<Shedder, "admit"> | undefined;
  readonly options: SimulatedServerOptions;
};

/** The process: it reads requests, asks the shedder, and does the work. */
export class SimulatedServer {
  readonly #parts: SimulatedServerParts;

  constructor(parts: SimulatedServerParts) {
    this.#parts = parts;
  }

  /** Reads a request, within a callback of the event loop. */
  readonly read = (incoming: IncomingExchange): void => {
    const { loop, cpu, shedder, options } = this.#parts;
    cpu.run({ what: "read", ms: options.overhead ?? 0.02 });
    const admission = shedder?.admit(workOf(incoming, loop.elapsed()));
    if (admission instanceof Promise) {
      admission.then((decided) => this.#follow(incoming, decided)).catch(loop.crash);
    } else this.#follow(incoming, admission);
  };

  #follow(incoming: IncomingExchange, admission: Admission | undefined): void {
    const { cpu, options } = this.#parts;
    if (admission === undefined || admission.ok) this.#serve(incoming, admission);
    else {
      cpu.run({ what: "refuse", ms: options.refusalCost ?? 0.03 });
      incoming.answer({ isServed: false, retryAfter: admission.retryAfter });
      incoming.end();
    }
  }

  #serve(incoming: IncomingExchange, admission: Admission | undefined): void {
    const { loop, cpu, pools } = this.#parts;
    const { cpu: ms, downstream } = incoming.request;
    const finish = (task: Task) => {
      cpu.run(task);
      this.#respond(incoming, admission);
    };
    if (downstream === undefined) {
      finish({ what: "work", ms });
      return;
    }
    cpu.run({ what: "work", ms: ms / 2 });
    const rest = { what: "rest of work", ms: ms / 2 };
    const pool = poolOf(downstream, pools);
    pool.serve(downstream.ms, () => loop.deliver(() => finish(rest)));
  }

  /** The response begins; it ends at once, or it is held open for as long as its client stays. */
  #respond(incoming: IncomingExchange, admission: Admission | undefined): void {
    const { time, loop } = this.#parts;
    const { holds } = incoming.request;
    const end = () => {
      admission?.done("served");
      incoming.end();
    };
    incoming.answer({ isServed: true, retryAfter: 0 });
    if (holds === 0 || !incoming.isConnected()) end();
    else if (holds < Infinity) time.plan({ at: time.now + holds, call: () => loop.deliver(end) });
  }
}

function workOf({ request, deadline, gone }: IncomingExchange, now: number): Work {
  const { priority, cohort, route } = request;
  return {
    priority,
    ...(cohort !== undefined && { cohort }),
    ...(deadline !== undefined && { deadline: Math.max(0, deadline - now) }),
    ...(route.exempt !== undefined && { exempt: route.exempt }),
    ...(gone !== undefined && { signal: gone }),
  };
}

/** @throws Error where the scenario has no such pool. */
function poolOf({ pool: name }: { readonly pool: string }, pools: ReadonlyMap<string, Pool>): Pool {
  const pool = pools.get(name);
  if (pool !== undefined) return pool;
  throw new Error(`no pool "${name}" among: ${[...pools.keys()].join(", ") || "none at all"}`);
}
