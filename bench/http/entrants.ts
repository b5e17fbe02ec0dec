/** What is measured together: the servers of a framework, each under one or two loads. */
import { startRedis } from "../../packages/spillway/test/servers/redis-node.ts";
import { Child } from "../child.ts";
import type { Contestant } from "../run.ts";
import type { Seen } from "../service/load.ts";
import type { Order } from "./framework.ts";
import { FRAMEWORKS } from "./frameworks/index.ts";
import type { HttpLoad } from "./generator.ts";
import { spent } from "./requests.ts";

/** A framework, with its hits counted in memory or on a Redis. */
export type Situation = {
  readonly name: string;
  readonly framework: string;
  readonly isOnRedis: boolean;
};

export const SITUATIONS: readonly Situation[] = [
  ...Object.keys(FRAMEWORKS).map((name) => ({ name, framework: name, isOnRedis: false })),
  { name: "Fastify on Redis", framework: "Fastify", isOnRedis: true },
];

/** What is seen of a server under a load. */
export type Figures = Seen & {
  /** Microseconds of the server's processor for each request. */
  readonly cost: number;
};

/** How much is sent. */
export type Amount = { readonly connections: number; readonly requests: number };

type Means = {
  readonly resources: AsyncDisposableStack;
  readonly generator: Child;
  readonly amount: Amount;
};

/** The servers of a situation, all started; the first is what the others are held against. */
export async function startAll(
  situation: Situation,
  means: Means,
): Promise<readonly Contestant<Figures>[]> {
  const spillway = await start(situation, "spillway", means);
  const bare = await start(situation, "bare", means);
  const usual = await start(situation, "usual", means);
  const likened = situation.isOnRedis ? [] : await startLikened(situation, means);
  const admitted = [spillway, bare, usual, ...likened].map((server) => server.under("admitted"));
  if (situation.isOnRedis) return admitted;
  const limiting = [spillway, usual, ...likened];
  for (const server of limiting) await server.refuse();
  return [...admitted, ...limiting.map((server) => server.under("mostlyRefused"))];
}

async function startLikened(situation: Situation, means: Means): Promise<readonly Server[]> {
  const servers: Server[] = [];
  for (const name of Object.keys(FRAMEWORKS[situation.framework]?.likened ?? {})) {
    servers.push(await start(situation, name, means));
  }
  return servers;
}

async function start(situation: Situation, limiter: string, means: Means): Promise<Server> {
  const { framework, isOnRedis } = situation;
  const place = isOnRedis ? { redis: means.resources.use(await startRedis()).url } : {};
  const order: Order = { framework, limiter, ...place };
  const child = new Child(new URL("./server.ts", import.meta.url), [JSON.stringify(order)]);
  means.resources.use(child);
  const name = limiter === "usual" ? (FRAMEWORKS[framework]?.peer ?? "") : limiter;
  return new Server({ name, child, port: (await child.message()) as number, means });
}

type Parts = {
  readonly name: string;
  readonly child: Child;
  readonly port: number;
  readonly means: Means;
};

class Server {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Uses up what is refused afterwards. */
  async refuse(): Promise<void> {
    await this.#send("spent", spent.length);
  }

  under(kind: "admitted" | "mostlyRefused"): Contestant<Figures> {
    const { name, means } = this.#parts;
    const { requests } = means.amount;
    return {
      name: kind === "admitted" ? name : `${name}, 90 % refused`,
      measure: async () => {
        const before = await this.#processorTime();
        const seen = await this.#send(kind, requests);
        return { ...seen, cost: ((await this.#processorTime()) - before) / requests };
      },
    };
  }

  async #send(kind: HttpLoad["kind"], requests: number): Promise<Seen> {
    const { port, means } = this.#parts;
    const load: HttpLoad = { ...means.amount, kind, port, requests };
    means.generator.process.send(load);
    return (await means.generator.message()) as Seen;
  }

  /** Microseconds that it has used of a processor so far. */
  async #processorTime(): Promise<number> {
    this.#parts.child.process.send("usage");
    return (await this.#parts.child.message()) as number;
  }
}
