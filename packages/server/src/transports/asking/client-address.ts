/** Finds the address of a client behind proxies. */
import { clientAddress } from "spillway/http";

/** The headers of a request, and the number of the client's address from the right. */
export type Addressed = {
  /** Returns a header; of a repeated one, all values joined. `name` is in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly hops: number;
};

/** Functions that find an address, by the number of proxies. */
const finders = new Map<number, ReturnType<typeof clientAddress>>();

/** Returns the client's address in `X-Forwarded-For`: of IPv6, the network of that many bits. */
export function addressOf({ header, hops }: Addressed, bits: number): string | undefined {
  const find = finders.get(hops) ?? clientAddress({ trust: hops });
  finders.set(hops, find);
  return find({ address: undefined, header }, bits);
}
