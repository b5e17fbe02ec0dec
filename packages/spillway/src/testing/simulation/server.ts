import type { Admission, Shedder, Work } from "../../shedding/index.ts";
import type { IncomingExchange } from "./connection.ts";
import type { Cpu, SimulatedCpuOptions, Task } from "./cpu.ts";
import type { EventLoop } from "./event-loop.ts";
import type { Pool } from "./pool.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** The server's own costs, and how it starts. */
export type SimulatedServerOptions = SimulatedCpuOptions & {
  /** The CPU time to read and parse any request, in milliseconds. Default: 0.02. */
  readonly overhead?: number;
  /** The CPU time to send a refusal, in milliseconds. Default: 0.03. */
  readonly refusalCost?: number;
  /** The CPU time to accept a connection, in milliseconds. Default: 0.03. */
  readonly acceptCost?: number;
  /**
   * The CPU time to close a connection that its client has closed, in milliseconds. Default: 0.02.
   */
  readonly closeCost?: number;
  /** The maximum number of connections that can wait to be accepted. Default: 511, as in Node. */
  readonly backlog?: number;
  /**
   * How long the process is busy with its own start, in milliseconds. Default: 0.
   *
   * Its listening socket is already open, so connections wait there.
   */
  readonly blocked?: number;
  /**
   * Passes the shedder an `AbortSignal` as `signal`, which aborts when the client disconnects.
   * Default: false.
   */
  readonly signalsAborts?: boolean;
};

type SimulatedServerParts = {
  readonly time: VirtualTime;
  readonly loop: EventLoop;
  readonly cpu: Cpu;
  /** Queues a callback that is due now. Promises of the shedder continue after it. */
  readonly deliver: (call: () => void) => void;
  readonly pools: ReadonlyMap<string, Pool>;
  readonly shedder: Pick<Shedder, "admit"> | undefined;
  readonly options: SimulatedServerOptions;
};

/** The simulated process: it reads requests, asks the shedder, and does the work. */
export class SimulatedServer {
  readonly #parts: SimulatedServerParts;

  constructor(parts: SimulatedServerParts) {
    this.#parts = parts;
  }

  /** Reads a request. Called within a callback of the event loop. */
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
    const { cpu, deliver, pools } = this.#parts;
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
    pool.serve(downstream.ms, () => deliver(() => finish(rest)));
  }

  /**
   * Begins the response. It ends at once if it holds for no time or the client has disconnected,
   * else after `holds` milliseconds.
   */
  #respond(incoming: IncomingExchange, admission: Admission | undefined): void {
    const { time, deliver } = this.#parts;
    const { holds } = incoming.request;
    const end = () => {
      admission?.done("served");
      incoming.end();
    };
    incoming.answer({ isServed: true, retryAfter: 0 });
    if (holds === 0 || !incoming.isConnected()) end();
    else if (holds < Infinity) time.plan({ at: time.now + holds, call: () => deliver(end) });
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

/** Returns the pool of a request. @throws Error if the scenario has no such pool. */
function poolOf({ pool: name }: { readonly pool: string }, pools: ReadonlyMap<string, Pool>): Pool {
  const pool = pools.get(name);
  if (pool !== undefined) return pool;
  throw new Error(`no pool "${name}" among: ${[...pools.keys()].join(", ") || "none at all"}`);
}
