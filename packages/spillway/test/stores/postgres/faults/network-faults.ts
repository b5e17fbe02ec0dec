/** What happens between clients and a Postgres that is well. */
import { startProxy } from "../../../servers/faulty-proxy.ts";
import { between, givenUpAfter, NETWORK_FAULTS } from "../../faults/network-faults.ts";
import { clientsOf, OUTAGE, type PostgresFault } from "./fault.ts";
import { migrated } from "./migrated.ts";

/** Milliseconds after which node-postgres gives up a connection that is silent, where it is told to. */
const SILENCE = 500;

async function proxied(used: AsyncDisposableStack) {
  const server = used.use(await migrated());
  const proxy = used.use(await startProxy(server.port));
  return { proxy, ...clientsOf(server, server.urlAt(proxy.port)) };
}

async function proxiedImpatiently(used: AsyncDisposableStack) {
  const { clients, ...scene } = await proxied(used);
  // The other driver can't be told.
  const impatient = { driver: "node-postgres", silence: SILENCE } as const;
  return { ...scene, clients: clients.map((client) => ({ ...client, ...impatient })) };
}

export const POSTGRES_NETWORK_FAULTS: readonly PostgresFault[] = [
  ...NETWORK_FAULTS.map((fault) => between({ ...OUTAGE, ...fault }, proxied)),
  between({ ...OUTAGE, ...givenUpAfter(SILENCE) }, proxiedImpatiently),
];
