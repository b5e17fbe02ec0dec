import { once } from "node:events";
import { Cluster } from "ioredis";
import { afterDelay, printable } from "spillway/support";
import type { RedisLocation, SentinelAccess } from "../places/index.ts";
import { type IoRedisOrCluster, LONGEST_PAUSE, redisClient } from "./redis-client.ts";

/** How long the first attempt to connect may take, in milliseconds, its timeout included. */
const FIRST_ATTEMPT = 2500;

/** Errors caused by earlier ones, which have more details. */
const CONSEQUENCES = /^(?:All sentinels are unreachable|Stream isn't writeable)/;

/** An error of ioredis, with the fields it adds. */
type RedisError = Error & {
  readonly command?: { readonly name: string };
  /** Why the last node of a cluster failed. */
  readonly lastNodeError?: Error;
};

/** A client that reconnects until it is closed, and records why it is not connected. */
export class RedisConnection {
  readonly client: IoRedisOrCluster;
  readonly #secrets: readonly string[];
  #error: string | undefined;
  #closed = false;

  constructor(place: RedisLocation, sentinels: SentinelAccess) {
    const passwords = [place.password, sentinels.password];
    this.#secrets = passwords.filter((password) => password !== undefined);
    this.client = redisClient(place, sentinels);
    this.client.on("error", (error: RedisError) => this.#note(error));
    this.client.on("sentinelError", (error: Error) => this.#note(error));
    this.client.on("ready", () => {
      this.#error = undefined;
    });
    this.client.on("end", () => this.#revive());
  }

  /** Why it is not connected, safe for messages; undefined while it is. */
  get trouble(): string | undefined {
    return this.client.status === "ready" ? undefined : (this.#error ?? "not connected");
  }

  /** Waits until it is connected, or a first attempt has failed or taken too long. */
  async attempted(): Promise<void> {
    const signal = AbortSignal.timeout(FIRST_ATTEMPT);
    await once(this.client, "ready", { signal }).catch(() => {});
    if (this.client instanceof Cluster) await connectMasters(this.client);
  }

  /** Lets the process end. */
  close(): void {
    this.#closed = true;
    this.client.disconnect();
  }

  /** ioredis retries by itself, except after an attempt that could not even begin. */
  #revive(): void {
    if (this.#closed) return;
    afterDelay(LONGEST_PAUSE, () => {
      if (!this.#closed) this.client.connect().catch(() => {});
    });
  }

  #note({ command, message, lastNodeError }: RedisError): void {
    const found = lastNodeError?.message ?? message;
    if (!CONSEQUENCES.test(found)) this.#error = this.shown(found);
    // The client would continue with database 0, which may belong to another program.
    if (command?.name === "select") this.client.disconnect(true);
  }

  /** Returns an error's message, safe for others. */
  shown(message: string): string {
    return printable(this.#withoutSecrets(message).replace(/\.$/, ""));
  }

  /** A server quotes an unknown command in its error, even one with a password. */
  #withoutSecrets(message: string): string {
    return this.#secrets.reduce((safe, secret) => safe.replaceAll(secret, "***"), message);
  }
}

/** The nodes of a cluster are connected at their first command, which would delay its answer. */
async function connectMasters(cluster: Cluster): Promise<void> {
  const waiting = cluster.nodes("master").filter(({ status }) => status === "wait");
  await Promise.allSettled(waiting.map((node) => node.connect()));
}
