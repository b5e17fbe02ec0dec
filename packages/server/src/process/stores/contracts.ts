/** The options for opening a store, and an open store. */
import type { MemoryStats, Store } from "spillway";
import type { Warn } from "spillway/core";
import type { OnEvent } from "spillway/store";
import type { SentinelAccess } from "../places/index.ts";

export type StoreOptions = {
  /** The login for sentinels. The login in the URL is for the servers. */
  readonly sentinels: SentinelAccess;
  /** The deadline of an answer, in milliseconds. Default: that of the store. */
  readonly deadline: number | undefined;
  /** The number of processes that share the limits. */
  readonly instances: number;
  /** The schema in a database. */
  readonly schema: string;
  /** The maximum number of keys in memory; undefined: derived from the available memory. */
  readonly maxKeys: number | undefined;
  readonly warn: Warn;
  /** Receives events of a store outside of memory, in addition to the log. */
  readonly onEvent?: OnEvent | undefined;
};

/** A store that is ready for use. */
export type OpenedStore = {
  readonly store: Store;
  /** Returns how full the store is, if it is in memory. */
  readonly stats?: () => MemoryStats;
  /** The place of the state, for people. */
  readonly where: string;
  /** Closes the store, so that the process can end. */
  readonly close: () => void;
};
