/** What happens between clients and a Redis that is well. */
import { startProxy } from "../../../servers/faulty-proxy.ts";
import { startRedis } from "../../../servers/redis-node.ts";
import { between, givenUpAfter, NETWORK_FAULTS } from "../../faults/network-faults.ts";
import type { Make } from "./clients/connections.ts";
import { clientsOf, directly, type RedisFault, WITHOUT_GLIDE } from "./fault.ts";

/** Milliseconds after which clients give up a connection that is silent, where they are told to. */
const SILENCE = 500;

type Proxied = { readonly makes?: readonly Make[]; readonly silence?: number };

function proxied({ makes, ...rest }: Proxied = {}) {
  return async (used: AsyncDisposableStack) => {
    const { port } = used.use(await startRedis());
    const proxy = used.use(await startProxy(port));
    const { clients } = clientsOf({ sort: "server", port: proxy.port, ...rest }, makes);
    return { proxy, clients, direct: directly({ sort: "server", port }) };
  };
}

export const REDIS_NETWORK_FAULTS: readonly RedisFault[] = [
  ...NETWORK_FAULTS.map((fault) => between(fault, proxied())),
  between(givenUpAfter(SILENCE), proxied({ makes: WITHOUT_GLIDE, silence: SILENCE })),
];
