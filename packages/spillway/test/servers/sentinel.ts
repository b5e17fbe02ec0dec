import { redisBinary } from "./binary.ts";
import { command, textFrom } from "./command.ts";
import { LOOPBACK } from "./ports.ts";
import { type RedisNode, startRedis, startServer } from "./redis-node.ts";
import { isWatching, masterSeenBy, NAME } from "./sentinel-view.ts";
import { until } from "./until.ts";

/** Whoever becomes master does not wait for more replicas before it serves the first. */
const PROMPT = ["--repl-diskless-sync-delay", "0"];

/** Milliseconds between looks; and how late a sentinel may be before it trusts nothing it sees. */
const ALERT = ["INFO-PERIOD", 1000, "PUBLISH-PERIOD", 500, "TILT-TRIGGER", 30_000];

/** A master and its replica, and the sentinels that watch them. */
export class SentinelGroup implements AsyncDisposable {
  /** What clients ask the sentinels for. */
  readonly name = NAME;
  /** The master and the replica as they began; which is which now, `master` tells. */
  readonly nodes: readonly RedisNode[];
  readonly sentinels: readonly RedisNode[];

  /** Use `startSentinel`. */
  constructor(nodes: readonly RedisNode[], sentinels: readonly RedisNode[]) {
    this.nodes = nodes;
    this.sentinels = sentinels;
  }

  /** The ports of the sentinels. */
  get ports(): number[] {
    return this.sentinels.map(({ port }) => port);
  }

  /** The master, once all sentinels that run agree on it. */
  async master(): Promise<RedisNode> {
    let master: RedisNode | undefined;
    const agreed = async () => {
      const port = await masterSeenBy(this.#running);
      master = this.nodes.find((node) => node.port === port);
      return master !== undefined;
    };
    await until(agreed, { what: "all sentinels name the same master" });
    if (master === undefined) throw new Error("The sentinels know no master.");
    return master;
  }

  /** Waits until all sentinels that run know each other, and a replica that could take over. */
  settled(): Promise<void> {
    const areWatching = async () => {
      const sentinels = this.#running;
      const answers = sentinels.map((each) => isWatching(each, this.sentinels.length));
      return (await Promise.all(answers)).every(Boolean);
    };
    return until(areWatching, { what: "all sentinels know a replica that could take over" });
  }

  /** Kills the master, and waits until the replica took over. Tells who is master now. */
  async failover(): Promise<RedisNode> {
    const old = await this.master();
    const heir = this.nodes.find((node) => node !== old && node.running);
    if (heir === undefined) throw new Error("No replica runs that could take over: restart one.");
    await old.kill();
    const tookOver = async () =>
      (await this.master()) === heir && (await roleOf(heir)).includes("role:master");
    await until(tookOver, { what: `${heir.port} takes over from ${old.port}` });
    return heir;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.sentinels, ...this.nodes].map((node) => node.stop()));
  }

  get #running(): RedisNode[] {
    return this.sentinels.filter(({ running }) => running);
  }
}

export type SentinelOptions = {
  /** How many sentinels watch; most of them must agree that the master is down. */
  readonly sentinels?: 1 | 3;
};

/** Starts a master, its replica and sentinels, and waits until a failover would succeed. */
export async function startSentinel(options: SentinelOptions = {}): Promise<SentinelGroup> {
  const { sentinels = 1 } = options;
  await using started = new AsyncDisposableStack();
  const master = started.use(await startRedis({ args: PROMPT }));
  const follow = ["--replicaof", LOOPBACK, `${master.port}`];
  const replica = started.use(await startRedis({ args: [...PROMPT, ...follow] }));
  await until(async () => (await roleOf(replica)).includes("master_link_status:up"), {
    what: `${replica.port} has what its master has`,
  });
  const watchers: RedisNode[] = [];
  while (watchers.length < sentinels) {
    watchers.push(started.use(await startWatcher(master, Math.ceil(sentinels / 2))));
  }
  const group = new SentinelGroup([master, replica], watchers);
  await group.settled();
  // All went well: from now on the group ends them.
  started.move();
  return group;
}

/** A sentinel keeps what it learns in its configuration: it wants a file, not arguments. */
async function startWatcher({ port }: RedisNode, quorum: number): Promise<RedisNode> {
  const configuration = `
sentinel monitor ${NAME} ${LOOPBACK} ${port} ${quorum}
sentinel down-after-milliseconds ${NAME} 1000
sentinel failover-timeout ${NAME} 5000
`;
  const watcher = await startServer({ args: ["--sentinel"], configuration });
  const { major } = await redisBinary();
  if (major >= 7) await command(watcher.port, "SENTINEL", "DEBUG", ...ALERT);
  return watcher;
}

function roleOf({ port }: RedisNode): Promise<string> {
  return textFrom(port, "INFO", "replication");
}
