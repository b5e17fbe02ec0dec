/** The options that open a store, and an open store. */
import type { MemoryStats, Store } from "spillway";
import type { Warn } from "spillway/core";
import type { OnEvent } from "spillway/store";
import type { SentinelAccess } from "../places/index.ts";

export type StoreOptions = {
  /** For sentinels that want it; the URL's is for the servers. */
  readonly sentinels: SentinelAccess;
  /** How long an answer is waited for, in milliseconds. Default: that of the store. */
  readonly deadline: number | undefined;
  /** How many processes share the limits. */
  readonly instances: number;
  /** Where a database keeps it. */
  readonly schema: string;
  /** The most keys to remember in memory; undefined for what there is memory for. */
  readonly maxKeys: number | undefined;
  readonly warn: Warn;
  /** Receives what happens to a store that is not in memory, beside the log. */
  readonly onEvent?: OnEvent | undefined;
};

/** A store, ready to be asked. */
export type OpenStore = {
  readonly store: Store;
  /** How full it is, where it is in memory. */
  readonly stats?: () => MemoryStats;
  /** Where state lives, as a person reads it. */
  readonly where: string;
  /** Lets go of it, so that the process can end. */
  readonly close: () => void;
};
