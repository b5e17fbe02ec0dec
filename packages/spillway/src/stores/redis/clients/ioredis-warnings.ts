/** Warns of settings of an ioredis client, or of its servers, that may cause wrong counts. */
import type { Warn } from "../../../limits/core/index.ts";

/** The part of a client that is used for the checks. */
export type WarnableClient = {
  readonly status: string;
  readonly isCluster?: boolean;
  on(event: "error", listener: (error: Error) => void): unknown;
  readonly options?: {
    readonly keyPrefix?: string;
    readonly db?: number;
    readonly sentinels?: unknown;
    readonly failoverDetector?: boolean;
    readonly autoResendUnfulfilledCommands?: boolean;
    readonly retryDelayOnFailover?: number;
  };
  info?(section: string): Promise<string>;
};

/** An error as ioredis reports it. */
type IoRedisError = Error & { readonly command?: { readonly name: string } };

const warned = new WeakSet<object>();

/** Checks each client once, for all stores that use it. */
export function warnOnce(client: WarnableClient, warn: Warn): void {
  if (warned.has(client)) return;
  warned.add(client);
  warnOfResending(client, warn);
  warnOfDatabase(client, warn);
  if (client.options?.sentinels) warnOfFailovers(client, warn);
}

/**
 * Warns if the client sends a command again after its reply was lost. The command may then be
 * executed twice.
 */
function warnOfResending({ options, isCluster }: WarnableClient, warn: Warn): void {
  const isOnce = isCluster
    ? options?.retryDelayOnFailover === 0
    : options?.autoResendUnfulfilledCommands === false;
  if (isOnce) return;
  const setting = isCluster ? "retryDelayOnFailover: 0" : "autoResendUnfulfilledCommands: false";
  warn(
    "ioredis resends a command whose reply was lost with its connection, so units may be " +
      `charged or settled twice. Create the client with ${setting}`,
  );
}

/**
 * Warns if ioredis could not select its database. It then uses database 0, which may belong to
 * another program.
 *
 * There is no warning if the owner disconnects the client on that error.
 */
function warnOfDatabase(client: WarnableClient, warn: Warn): void {
  let refused: string | undefined;
  let isTold = false;
  client.on("error", ({ command, message }: IoRedisError) => {
    if (command?.name === "select") refused = message;
  });
  onReady(client, () => {
    if (refused === undefined || isTold) return;
    isTold = true;
    warn(`ioredis could not select database ${client.options?.db} and uses database 0: ${refused}`);
  });
}

/**
 * Warns if an old master may write without replicas. During a failover it then admits calls that
 * the new master admits too.
 */
function warnOfFailovers(client: WarnableClient, warn: Warn): void {
  let isTold = false;
  const look = async () => {
    const info = (await client.info?.("replication")) ?? "";
    const isBounded =
      info.includes("min_slaves_good_slaves") || !/connected_slaves:[1-9]/.test(info);
    if (isBounded || isTold) return;
    isTold = true;
    const sooner = client.options?.failoverDetector
      ? ""
      : ", and create the client with failoverDetector: true, so that it leaves the old master";
    warn(
      "after a failover by Sentinel, the old and the new master both admit for some seconds. " +
        `Set min-replicas-to-write 1 and min-replicas-max-lag 2 on the servers${sooner}`,
    );
  };
  // There is no warning if the user may not run INFO.
  const lookQuietly = () => void look().catch(() => {});
  onReady(client, lookQuietly);
  if (client.status === "ready") lookQuietly();
}

function onReady(client: WarnableClient, listener: () => void): void {
  const all = client as WarnableClient & { on(event: "ready", listener: () => void): unknown };
  all.on("ready", listener);
}
