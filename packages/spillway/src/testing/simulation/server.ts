import type { Admission, Shedder, Work } from "../../shedding/index.ts";
import type { EventLoop } from "./event-loop.ts";
import type { Pool } from "./pool.ts";
import type { Request } from "./traffic.ts";

/** What the server itself costs. */
export type ServerOptions = {
  /** CPU time in ms to read and parse a request, whatever becomes of it; 0.02 unless said. */
  readonly overhead?: number;
  /** CPU time in ms to answer with a refusal; 0.03 unless said. */
  readonly refusalCost?: number;
};

/** What the client gets; `retryAfter` is in ms, and 0 where it was served. */
export type Answer = { readonly isServed: boolean; readonly retryAfter: number };

/** A request on its way. */
export type Delivery = {
  readonly request: Request;
  /** Until when its client waits, where the server is told. */
  readonly deadline: number | undefined;
  readonly answer: (answer: Answer) => void;
};

type Parts = {
  readonly loop: EventLoop;
  readonly pools: ReadonlyMap<string, Pool>;
  readonly shedder: Pick<Shedder, "admit"> | undefined;
  readonly options: ServerOptions;
};

/** The process: it reads what its event loop delivers, asks the shedder, and does the work. */
export class Server {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The request can be read; it is when the loop comes to it, and waits unseen until then. */
  receive(delivery: Delivery): void {
    this.#parts.loop.deliver(() => this.#read(delivery));
  }

  #read(delivery: Delivery): void {
    const { loop, shedder, options } = this.#parts;
    loop.burn(options.overhead ?? 0.02);
    const admission = shedder?.admit(workOf(delivery, loop.elapsed()));
    if (admission instanceof Promise) {
      admission.then((decided) => this.#follow(delivery, decided)).catch(loop.crash);
    } else this.#follow(delivery, admission);
  }

  #follow(delivery: Delivery, admission: Admission | undefined): void {
    const { loop, options } = this.#parts;
    if (admission === undefined || admission.ok) this.#serve(delivery, admission);
    else {
      loop.burn(options.refusalCost ?? 0.03);
      delivery.answer({ isServed: false, retryAfter: admission.retryAfter });
    }
  }

  #serve({ request, answer }: Delivery, admission: Admission | undefined): void {
    const { loop, pools } = this.#parts;
    const { cpu, downstream } = request;
    const finish = (ms: number) => {
      loop.burn(ms);
      admission?.done("served");
      answer({ isServed: true, retryAfter: 0 });
    };
    if (downstream === undefined) {
      finish(cpu);
      return;
    }
    loop.burn(cpu / 2);
    const pool = poolOf(downstream, pools);
    pool.serve(downstream.ms, () => loop.deliver(() => finish(cpu / 2)));
  }
}

function workOf({ request, deadline }: Delivery, now: number): Work {
  const { priority, cohort, route } = request;
  return {
    priority,
    ...(cohort !== undefined && { cohort }),
    ...(deadline !== undefined && { deadline: Math.max(0, deadline - now) }),
    ...(route.exempt !== undefined && { exempt: route.exempt }),
  };
}

/** @throws Error where the scenario has no such pool. */
function poolOf({ pool: name }: { readonly pool: string }, pools: ReadonlyMap<string, Pool>): Pool {
  const pool = pools.get(name);
  if (pool !== undefined) return pool;
  throw new Error(`no pool "${name}" among: ${[...pools.keys()].join(", ") || "none at all"}`);
}
