import { startRedis } from "../../../servers/redis-node.ts";
import { type ExactRun, runExactly } from "../../faults/exact-run.ts";
import type { Make } from "./clients/connections.ts";
import { clientsOf, REDIS } from "./fault.ts";

const MAKES: readonly Make[] = ["ioredis", "ioredis", "node-redis", "valkey-glide"];

/** Lets four processes ask for all limits at once, for so many milliseconds. */
export async function runOnRedis(ms: number): Promise<ExactRun> {
  await using node = await startRedis();
  const { clients } = clientsOf({ sort: "server", port: node.port }, MAKES);
  return await runExactly(
    { clients, ms, size: { units: 1000, pace: 1 }, inFlight: 64, together: 32, transactions: 0 },
    REDIS,
  );
}
