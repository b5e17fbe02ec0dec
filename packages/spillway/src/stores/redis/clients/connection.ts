/** A script that is run on keys of one slot. */
export type Script = { readonly sha1: string; readonly source: string };

/** A client of whatever make, as a store uses it. */
export type Connection = {
  /** Whether keys live on several nodes, by slot. */
  readonly isCluster: boolean;
  /** Why nothing can be sent: undefined where it can, `"soon"` where it is worth waiting. */
  unready(): undefined | "soon" | Error;
  /** What the client last complained of. */
  lastError(): Error | undefined;
  /** Runs what is known by its hash. Rejects with a NOSCRIPT error where it is not known. */
  runKnown(script: Script, keys: string[], values: string[]): Promise<unknown>;
  /** Runs it, and makes it known. */
  run(script: Script, keys: string[], values: string[]): Promise<unknown>;
  /** Which node keeps a slot. */
  nodeOf(slot: number): string;
};

/** What nodes are called where there is only one, or where the client does not tell them apart. */
export const ONLY_NODE = "redis";
