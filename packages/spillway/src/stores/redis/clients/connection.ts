import { quiet } from "./quiet.ts";

/** A script that is run on keys of one slot. */
export type Script = { readonly sha1: string; readonly source: string };

/** A client of whatever make, as a store uses it. */
export type RedisDriver = {
  /** What messages call it: its address, where the client says it. */
  readonly place: string;
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
  /** Whether `nodeOf` names machines; else ranges of slots, or all there is. */
  readonly knowsNodes: boolean;
  /** Which node keeps a slot. */
  nodeOf(slot: number): string;
};

/** What nodes are called where there is only one, or where the client does not tell them apart. */
export const ONLY_NODE = "redis";

/** What is used of an event emitter. */
type Emitter = { on(event: "error", listener: (error: Error) => void): unknown };

type LastError = { last: Error | undefined };

const heard = new WeakMap<Emitter, LastError>();

/**
 * Listens to a client's errors, once for each client: one that nobody listens to ends the process, or
 * is printed. What matters of them the store's own events report.
 */
export function listen(client: Emitter): Readonly<LastError> {
  const known = heard.get(client);
  if (known !== undefined) return known;
  const errors: LastError = { last: undefined };
  heard.set(client, errors);
  client.on("error", (error) => {
    errors.last = quiet(error);
  });
  return errors;
}
