/** Faults in which leases are held. */
import { halted } from "../../faults/lease-run.ts";
import { clientsOf, type PostgresFault } from "./fault.ts";
import { migrated } from "./migrated.ts";
import { POSTGRES_NETWORK_FAULTS } from "./network-faults.ts";
import { SERVER_FAULTS } from "./server-faults.ts";

async function server(used: AsyncDisposableStack) {
  const running = used.use(await migrated());
  const { clients, direct } = clientsOf(running);
  return { clients, direct, halt: (ms: number) => running.halt(ms) };
}

export const LEASE_FAULTS: readonly PostgresFault[] = [
  ...[100, 1000, 5000].map((ms) => halted(ms, server)),
  ...SERVER_FAULTS.filter(({ name }) => !name.includes("say")),
  ...POSTGRES_NETWORK_FAULTS,
];
