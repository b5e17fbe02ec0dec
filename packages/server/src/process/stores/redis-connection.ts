import { once } from "node:events";
import { Cluster } from "ioredis";
import { afterDelay, printable } from "spillway/support";
import type { RedisPlace, SentinelAccess } from "../places/index.ts";
import { LONGEST_PAUSE, type RedisClient, redisClient } from "./redis-client.ts";

/** How long a first attempt to connect may take, in milliseconds: until it has timed out. */
const FIRST_ATTEMPT = 2500;

/** Errors that follow from earlier ones, which say more. */
const CONSEQUENCES = /^(?:All sentinels are unreachable|Stream isn't writeable)/;

/** An error of ioredis, with what it adds to the message. */
type RedisError = Error & {
  readonly command?: { readonly name: string };
  /** Why the last node of a cluster failed. */
  readonly lastNodeError?: Error;
};

/** A client that connects again and again until it is closed, and why it is not connected. */
export class RedisConnection {
  readonly client: RedisClient;
  readonly #secrets: readonly string[];
  #error: string | undefined;
  #closed = false;

  constructor(place: RedisPlace, sentinels: SentinelAccess) {
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

  /** Why it is not connected, as messages may say it; undefined while it is. */
  get trouble(): string | undefined {
    return this.client.status === "ready" ? undefined : (this.#error ?? "not connected");
  }

  /** Waits until it is connected, or a first attempt has failed, or has taken too long. */
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

  /** ioredis retries by itself, but for an attempt that could not even begin, which is its last. */
  #revive(): void {
    if (this.#closed) return;
    afterDelay(LONGEST_PAUSE, () => {
      if (!this.#closed) this.client.connect().catch(() => {});
    });
  }

  #note({ command, message, lastNodeError }: RedisError): void {
    const found = lastNodeError?.message ?? message;
    if (!CONSEQUENCES.test(found)) this.#error = this.#shown(found);
    // The client would go on with database 0, which may be somebody else's.
    if (command?.name === "select") this.client.disconnect(true);
  }

  #shown(message: string): string {
    return printable(this.#withoutSecrets(message).replace(/\.$/, ""));
  }

  /** A server that does not know a command repeats it, even one with a password. */
  #withoutSecrets(message: string): string {
    return this.#secrets.reduce((safe, secret) => safe.replaceAll(secret, "***"), message);
  }
}

/** A cluster's nodes are connected to when they are first asked, which would make that answer late. */
async function connectMasters(cluster: Cluster): Promise<void> {
  const waiting = cluster.nodes("master").filter(({ status }) => status === "wait");
  await Promise.allSettled(waiting.map((node) => node.connect()));
}
