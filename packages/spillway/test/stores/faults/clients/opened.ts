import type { Store } from "../../../../src/limits/core/index.ts";
import type { SharedStoreOptions } from "../../../../src/stores/shared/index.ts";

/** A client that stores can be made on. */
export type Opened = {
  store(options: SharedStoreOptions): Store<"later">;
  /** Connects it, where it does not do so by itself: once it has a store, which hears its errors. */
  connect(): Promise<unknown>;
  /** Does something in a transaction, anew each time that it loses to another one. */
  transact<T>(work: (transaction: object) => Promise<T>): Promise<T>;
  /** Closes it when nobody uses it any more. */
  close(): unknown;
};

/** How clients are opened, by what they are to be. */
export type Open<Client> = (client: Client) => Promise<Opened>;
