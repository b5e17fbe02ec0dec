/** What happens between clients and a server that is well. */
import { type FaultyProxy, startProxy } from "../../../servers/faulty-proxy.ts";
import { startRedis } from "../../../servers/redis-node.ts";
import type { Phase } from "./clients/protocol.ts";
import { degradedIn, type Fault, isCutOff, type Scene, WITHOUT_GLIDE } from "./fault.ts";

/** Milliseconds by which each way is late: far more than the deadline. */
const LATE = 150;
/** Milliseconds after which clients give up a connection that is silent, where they are told to. */
const SILENCE = 500;

type Deeds = Pick<Scene, "again"> & {
  readonly strike: () => void;
  readonly end: () => void;
};

function between(does: (proxy: FaultyProxy) => Deeds, silence?: number): Fault["stage"] {
  return async (used) => {
    const node = used.use(await startRedis());
    const proxy = used.use(await startProxy(node.port));
    const patience = silence === undefined ? {} : { silence };
    const { strike, end, ...more } = does(proxy);
    return {
      target: { sort: "server", port: proxy.port, ...patience },
      direct: { sort: "server", port: node.port },
      strike: async () => strike(),
      end: async () => end(),
      ...more,
    };
  };
}

/** Each connection has been lost a few times. */
const wasCut = (during: Phase) => degradedIn(during) >= 100;

export const NETWORK_FAULTS: readonly Fault[] = [
  {
    name: `every piece ${LATE} ms late, both ways`,
    bound: "exact",
    felt: isCutOff,
    outage: true,
    failed: "perhaps charged",
    stage: between((proxy) => ({ strike: () => proxy.delay(LATE), end: () => proxy.heal() })),
  },
  {
    name: "half of an answer, then silence; the connection is cut in the end",
    bound: "exact",
    felt: isCutOff,
    outage: true,
    failed: "perhaps charged",
    stage: between((proxy) => ({
      strike: () => proxy.dropHalf(),
      end: () => {
        proxy.heal();
        proxy.cut();
      },
    })),
  },
  {
    name: `half of an answer, then silence; clients give up after ${SILENCE} ms`,
    bound: "exact",
    makes: WITHOUT_GLIDE,
    felt: isCutOff,
    outage: true,
    failed: "perhaps charged",
    stage: between(
      (proxy) => ({ strike: () => proxy.dropHalf(), end: () => proxy.heal() }),
      SILENCE,
    ),
  },
  {
    name: "nothing gets through, new connections neither; all are cut in the end",
    bound: "exact",
    felt: isCutOff,
    outage: true,
    failed: "perhaps charged",
    stage: between((proxy) => ({
      strike: () => proxy.hang(),
      end: () => {
        proxy.heal();
        proxy.cut();
      },
    })),
  },
  {
    name: "connections cut, over and over",
    bound: "exact",
    felt: wasCut,
    outage: false,
    failed: "perhaps charged",
    stage: between((proxy) => ({
      strike: () => proxy.cut(),
      again: async () => proxy.cut(),
      end: () => proxy.heal(),
    })),
  },
  {
    name: "connections cut, and refused",
    bound: "exact",
    felt: isCutOff,
    outage: true,
    failed: "perhaps charged",
    stage: between((proxy) => ({
      strike: () => {
        proxy.refuse(true);
        proxy.cut();
      },
      end: () => proxy.heal(),
    })),
  },
];
