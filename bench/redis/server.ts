/** A Redis server for one run, and how much of a processor it has used. */
import { Redis } from "ioredis";
import { startRedis } from "../../packages/spillway/test/servers/redis-node.ts";

/** Ends with the run, whatever ends the run; keeps nothing on disk. */
export class Server implements AsyncDisposable {
  readonly #resources = new AsyncDisposableStack();
  readonly url: string;
  readonly #observer: Redis;

  private constructor(node: Awaited<ReturnType<typeof startRedis>>) {
    this.#resources.use(node);
    this.url = node.url;
    this.#observer = this.connect();
  }

  /** Starts one on a free port. */
  static async start(): Promise<Server> {
    return new Server(await startRedis());
  }

  /** A client, closed with the server. */
  connect(): Redis {
    const client = new Redis(this.url);
    this.#resources.defer(() => client.disconnect());
    return client;
  }

  /** What it calls itself, such as "7.0.15". */
  async version(): Promise<string> {
    return fieldOf(await this.#observer.info("server"), "redis_version");
  }

  /** Microseconds of a processor that it has used so far, for itself and in the kernel. */
  async processorTime(): Promise<number> {
    const info = await this.#observer.info("cpu");
    const seconds = ["used_cpu_user", "used_cpu_sys"].map((name) => Number(fieldOf(info, name)));
    return seconds.reduce((sum, each) => sum + each) * 1e6;
  }

  /** Bytes that its keys take, and what it needs beside them. */
  async memory(): Promise<number> {
    return Number(fieldOf(await this.#observer.info("memory"), "used_memory"));
  }

  /** Microseconds that scripts have taken so far. */
  async scriptTime(): Promise<number> {
    const stats = await this.#observer.info("commandstats");
    return Number(/^cmdstat_evalsha:calls=\d+,usec=(\d+)/m.exec(stats)?.[1] ?? 0);
  }

  /** Scripts that have been called so far. */
  async scriptCalls(): Promise<number> {
    const stats = await this.#observer.info("commandstats");
    return Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(stats)?.[1] ?? 0);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

/** A line of what INFO returns. */
function fieldOf(info: string, name: string): string {
  const value = new RegExp(`^${name}:(\\S+)`, "m").exec(info)?.[1];
  if (value === undefined) throw new Error(`INFO returns no ${name}: ${info}`);
  return value;
}
