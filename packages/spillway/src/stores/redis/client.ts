/** The clients that a store can talk through: described, not imported. */
import { SpillwayError } from "../../core/index.ts";

/** What is used of ioredis (and iovalkey): `Redis` or `Cluster`. */
export type IoRedisClient = {
  readonly status: string;
  readonly isCluster?: boolean;
  evalsha(sha1: string, keys: number, ...rest: string[]): Promise<unknown>;
  eval(script: string, keys: number, ...rest: string[]): Promise<unknown>;
  connect(): Promise<unknown>;
  once(event: "ready", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
};

type KeysAndArguments = { readonly keys: string[]; readonly arguments: string[] };

/** What is used of node-redis: what `createClient`, `createCluster` or `createSentinel` return. */
export type NodeRedisClient = {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  evalSha(sha1: string, options: KeysAndArguments): Promise<unknown>;
  eval(script: string, options: KeysAndArguments): Promise<unknown>;
  once(event: "ready", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
};

/** A client of Redis or Valkey, made and closed by the caller. */
export type RedisClient = IoRedisClient | NodeRedisClient;

/** A script that is run on keys of one slot. */
export type Script = { readonly sha1: string; readonly source: string };

/** A client of either make, as a store uses it. */
export type Connection = {
  /** Whether keys live on several nodes, by slot. */
  readonly isCluster: boolean;
  /** Why nothing can be sent: undefined where it can, `"soon"` where it is worth waiting. */
  unready(): undefined | "soon" | Error;
  /** What the client last complained of. */
  lastError(): Error | undefined;
  /** Calls back when it can. */
  onceReady(listener: () => void): void;
  /** Runs what is known by its hash. Rejects with a NOSCRIPT error where it is not known. */
  runKnown(script: Script, keys: string[], values: string[]): Promise<unknown>;
  /** Runs it, and makes it known. */
  run(script: Script, keys: string[], values: string[]): Promise<unknown>;
  /** Which node keeps a slot. */
  nodeOf(slot: number): string;
};

/** @throws SpillwayError `bad-client` */
export function connect(client: RedisClient): Connection {
  if (has(client, ["evalsha", "eval", "once", "on"]) && "status" in client) {
    return overIoRedis(client as IoRedisClient);
  }
  if (has(client, ["evalSha", "eval", "once", "on"]) && "isReady" in client) {
    return overNodeRedis(client as NodeRedisClient);
  }
  throw new SpillwayError({
    code: "bad-client",
    field: "client",
    value: client,
    expected: "a client of ioredis or node-redis",
    hint: "Pass `new Redis(…)`, `new Cluster(…)`, or what createClient, createCluster or createSentinel returns; not a URL or its options",
  });
}

function has(client: unknown, methods: readonly string[]): boolean {
  if (typeof client !== "object" || client === null) return false;
  return methods.every((name) => typeof (client as Record<string, unknown>)[name] === "function");
}

function overIoRedis(client: IoRedisClient): Connection {
  const { slots } = client as { slots?: readonly (readonly string[] | undefined)[] };
  checkPrefix(client);
  const heard = listen(client);
  return {
    isCluster: client.isCluster === true,
    unready() {
      if (client.status === "ready") return undefined;
      if (client.status === "wait") client.connect().catch(() => {});
      return client.status === "end" ? new Error("the client is closed") : "soon";
    },
    lastError: () => heard.last,
    onceReady: (listener) => void client.once("ready", listener),
    runKnown: ({ sha1 }, keys, values) => client.evalsha(sha1, keys.length, ...keys, ...values),
    run: ({ source }, keys, values) => client.eval(source, keys.length, ...keys, ...values),
    nodeOf: (slot) => slots?.[slot]?.[0] ?? "redis",
  };
}

/** ioredis puts its own prefix before our keys; one with a brace would move them to another slot. */
function checkPrefix(client: IoRedisClient): void {
  const { options } = client as { options?: { keyPrefix?: string } };
  const value = options?.keyPrefix;
  if (value === undefined || !/[{}]/.test(value)) return;
  const expected = "one without braces, which mark the part of a key that decides its slot";
  throw new SpillwayError({
    code: "bad-client",
    field: "client.options.keyPrefix",
    value,
    expected,
  });
}

const errors = new WeakMap<RedisClient, { last: Error | undefined }>();

/** An error that a client has no listener for ends the process, or is printed; ours are events. */
function listen(client: RedisClient): { readonly last: Error | undefined } {
  const known = errors.get(client);
  if (known !== undefined) return known;
  const heard: { last: Error | undefined } = { last: undefined };
  errors.set(client, heard);
  client.on("error", (error) => {
    heard.last = error;
  });
  return heard;
}

type NodeRedisSlots = readonly ({ readonly master: { readonly address: string } } | undefined)[];

function overNodeRedis(client: NodeRedisClient): Connection {
  const heard = listen(client);
  const isCluster = "slots" in client;
  return {
    isCluster,
    unready() {
      if (client.isReady) return undefined;
      return client.isOpen ? "soon" : new Error("the client is not connected: call its connect()");
    },
    lastError: () => heard.last,
    onceReady: (listener) => void client.once("ready", listener),
    runKnown: ({ sha1 }, keys, values) => client.evalSha(sha1, { keys, arguments: values }),
    run: ({ source }, keys, values) => client.eval(source, { keys, arguments: values }),
    nodeOf(slot) {
      const { slots } = client as unknown as { slots: NodeRedisSlots };
      return isCluster ? (slots[slot]?.master.address ?? "redis") : "redis";
    },
  };
}
