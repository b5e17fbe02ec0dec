/** What happens between clients and a server that is well. */
import type { FaultyProxy } from "../../servers/faulty-proxy.ts";
import type { Phase } from "./clients/protocol.ts";
import { degradedIn, type Fault, isCutOff, type Scene } from "./fault.ts";

/** Milliseconds by which each way is late: far more than the deadline. */
const LATE = 150;

type Deeds = Pick<Scene<unknown>, "again" | "end" | "strike">;

/** A fault of a network, whatever server it leads to. */
export type NetworkFault = Omit<Fault, "stage"> & { readonly does: (proxy: FaultyProxy) => Deeds };

/** Clients who ask by way of a proxy, and one that keeps the books without it. */
export type Proxied<Client> = Pick<Scene<Client>, "clients" | "direct" | "healed"> & {
  readonly proxy: FaultyProxy;
};

/** The fault, done to a proxy between clients and a server of some kind. */
export function between<Client>(
  { does, ...fault }: NetworkFault,
  proxied: (used: AsyncDisposableStack) => Promise<Proxied<Client>>,
): Fault<Client> {
  const stage = async (used: AsyncDisposableStack) => {
    const { proxy, ...clients } = await proxied(used);
    return { ...clients, ...does(proxy) };
  };
  return { ...fault, stage };
}

/** Each connection has been lost a few times. */
const wasCut = (during: Phase) => degradedIn(during) >= 100;

const OUTAGE = {
  bound: "exact",
  felt: isCutOff,
  outage: true,
  failed: "perhaps charged",
} as const;

export const NETWORK_FAULTS: readonly NetworkFault[] = [
  {
    ...OUTAGE,
    name: `every piece ${LATE} ms late, both ways`,
    does: (proxy) => ({
      strike: async () => proxy.delay(LATE),
      end: async () => proxy.heal(),
    }),
  },
  {
    ...OUTAGE,
    name: "half of an answer, then silence; the connection is cut in the end",
    does: (proxy) => ({
      strike: async () => proxy.dropHalf(),
      end: async () => {
        proxy.heal();
        proxy.cut();
      },
    }),
  },
  {
    ...OUTAGE,
    name: "nothing gets through, new connections neither; all are cut in the end",
    does: (proxy) => ({
      strike: async () => proxy.hang(),
      end: async () => {
        proxy.heal();
        proxy.cut();
      },
    }),
  },
  {
    ...OUTAGE,
    name: "connections cut, over and over",
    felt: wasCut,
    outage: false,
    does: (proxy) => ({
      strike: async () => proxy.cut(),
      again: async () => proxy.cut(),
      end: async () => proxy.heal(),
    }),
  },
  {
    ...OUTAGE,
    name: "connections cut, and refused",
    does: (proxy) => ({
      strike: async () => {
        proxy.refuse(true);
        proxy.cut();
      },
      end: async () => proxy.heal(),
    }),
  },
];

/** Nobody cuts connections in the end: clients give up those that are silent for so many milliseconds. */
export function givenUpAfter(ms: number): NetworkFault {
  return {
    ...OUTAGE,
    name: `half of an answer, then silence; clients give up after ${ms} ms`,
    does: (proxy) => ({
      strike: async () => proxy.dropHalf(),
      end: async () => proxy.heal(),
    }),
  };
}
