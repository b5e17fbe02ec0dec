/** Faults in which leases are held. */
import { startRedis } from "../../../servers/redis-node.ts";
import { halted } from "../../faults/lease-run.ts";
import { clientsOf, type RedisFault } from "./fault.ts";
import { GROUP_FAULTS } from "./group-faults.ts";
import { REDIS_NETWORK_FAULTS } from "./network-faults.ts";
import { SERVER_FAULTS } from "./server-faults.ts";

async function server(used: AsyncDisposableStack) {
  const node = used.use(await startRedis());
  const clients = clientsOf({ sort: "server", port: node.port });
  return { ...clients, halt: (ms: number) => node.halt(ms) };
}

export const LEASE_FAULTS: readonly RedisFault[] = [
  ...[100, 1000, 5000].map((ms) => halted(ms, server)),
  ...SERVER_FAULTS.filter(({ name }) => /^killed.*restarted/.test(name)),
  ...REDIS_NETWORK_FAULTS,
  ...GROUP_FAULTS.filter(({ name }) => /killed|failover/.test(name)),
];
