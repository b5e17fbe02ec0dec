import { startNodes, unite } from "./cluster-setup.ts";
import { commonView, isSettled, type Range, rangeOf } from "./cluster-view.ts";
import { command } from "./command.ts";
import type { RedisNode } from "./redis-node.ts";
import { close, moveKeys, open, type Route } from "./slot-move.ts";
import { until } from "./until.ts";

/** Milliseconds after which a replica that was asked to take over has given up trying. */
const TAKEOVER = 6_000;

/** A slot on its way from one master to another. */
export type SlotMove = {
  readonly source: RedisNode;
  readonly target: RedisNode;
  /** Moves the keys that are in the slot now. */
  moveKeys(): Promise<void>;
  /** Moves what is left, and makes the slot the target's. */
  finish(): Promise<void>;
};

/** A cluster of servers of its own. */
export class RedisCluster implements AsyncDisposable {
  readonly nodes: readonly RedisNode[];
  readonly #moving = new Set<number>();

  /** Use `startCluster`. */
  constructor(nodes: readonly RedisNode[]) {
    this.nodes = nodes;
  }

  get ports(): number[] {
    return this.nodes.map(({ port }) => port);
  }

  get urls(): string[] {
    return this.nodes.map(({ url }) => url);
  }

  /** The slot of a key. */
  async slotOf(key: string): Promise<number> {
    const { port } = this.#running[0] ?? missing("a node that runs");
    return Number(await command(port, "CLUSTER", "KEYSLOT", key));
  }

  /** The node that serves a slot, once all that run agree on it. */
  async masterOf(slot: number): Promise<RedisNode> {
    return this.#at((await this.#rangeOf(slot)).master);
  }

  /** The nodes that run and would take over a slot. */
  async replicasOf(slot: number): Promise<RedisNode[]> {
    const { replicas } = await this.#rangeOf(slot);
    return replicas.map((port) => this.#at(port)).filter(({ running }) => running);
  }

  /** Waits until all nodes that run agree, and each finds its cluster in order. */
  settled(): Promise<void> {
    return until(() => isSettled(this.#running), { what: "the cluster settles" });
  }

  /** Kills the master of a slot, and waits until a replica took over. Tells who is master now. */
  async failover(slot: number): Promise<RedisNode> {
    const master = await this.masterOf(slot);
    await this.#heirOf(slot);
    await master.kill();
    await until(async () => (await this.masterOf(slot)) !== master, {
      what: `a replica takes over slot ${slot} from ${master.port}`,
    });
    await this.settled();
    return this.masterOf(slot);
  }

  /** Lets a replica of a slot take over in agreement with its master, and tells which. */
  async gracefulFailover(slot: number): Promise<RedisNode> {
    const heir = await this.#heirOf(slot);
    let asked = Number.NEGATIVE_INFINITY;
    const tookOver = async () => {
      if ((await this.masterOf(slot)) === heir) return true;
      if (performance.now() - asked < TAKEOVER) return false;
      asked = performance.now();
      await command(heir.port, "CLUSTER", "FAILOVER");
      return false;
    };
    await until(tookOver, { what: `${heir.port} takes over slot ${slot}` });
    await this.settled();
    return heir;
  }

  /** Moves a slot and its keys to another master, and tells which. */
  async moveSlot(slot: number, to?: RedisNode): Promise<RedisNode> {
    const { target, finish } = await this.beginMove(slot, to);
    await finish();
    return target;
  }

  /** Moves a slot in steps: until that is finished, its keys may be with either master. */
  async beginMove(slot: number, to?: RedisNode): Promise<SlotMove> {
    const source = await this.masterOf(slot);
    const others = (await this.masters()).filter((node) => node !== source);
    const target = to ?? others[0] ?? missing("another master");
    const route = { slot, source, target };
    this.#moving.add(slot);
    await open(route);
    const finish = () => this.#finish(route);
    return { source, target, moveKeys: () => moveKeys(route), finish };
  }

  /** The nodes that serve slots, once all that run agree on it. */
  async masters(): Promise<RedisNode[]> {
    const ports = new Set((await this.#view()).map(({ master }) => master));
    return [...ports].map((port) => this.#at(port));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  get #running(): RedisNode[] {
    return this.nodes.filter(({ running }) => running);
  }

  async #finish(route: Route): Promise<void> {
    const { slot, target } = route;
    await moveKeys(route);
    const masters = (await this.masters()).filter(({ running }) => running);
    await close(route, masters);
    const arrived = async () => (await this.masterOf(slot)) === target;
    await until(arrived, { what: `slot ${slot} is at ${target.port}` });
    this.#moving.delete(slot);
    await this.settled();
  }

  async #heirOf(slot: number): Promise<RedisNode> {
    // Who imports a slot believes nobody that it has a new master: the nodes would never agree.
    const [moving] = this.#moving;
    if (moving !== undefined) throw new Error(`Finish moving slot ${moving} before a failover.`);
    return (await this.replicasOf(slot))[0] ?? missing(`a replica that runs, for slot ${slot}`);
  }

  async #rangeOf(slot: number): Promise<Range> {
    return rangeOf(slot, await this.#view()) ?? missing(`a master for slot ${slot}`);
  }

  async #view(): Promise<Range[]> {
    let view: Range[] | undefined;
    const agreed = async () => {
      view = await commonView(this.#running);
      return view !== undefined;
    };
    await until(agreed, { what: "all nodes agree on who serves which slots" });
    return view ?? missing("a view");
  }

  #at(port: number): RedisNode {
    return this.nodes.find((node) => node.port === port) ?? missing(`a node at ${port}`);
  }
}

export type ClusterOptions = {
  readonly masters?: number;
  /** How many for each master. */
  readonly replicas?: number;
  /** More arguments for each node. */
  readonly args?: readonly string[];
};

/** Starts a cluster, and waits until each node serves and each replica has caught up. */
export async function startCluster(options: ClusterOptions = {}): Promise<RedisCluster> {
  const { masters = 3, replicas = 1, args = [] } = options;
  const cluster = new RedisCluster(await startNodes(masters * (1 + replicas), args));
  try {
    await unite(cluster.nodes, masters);
    await cluster.settled();
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

function missing(what: string): never {
  throw new Error(`The cluster has not ${what}.`);
}
