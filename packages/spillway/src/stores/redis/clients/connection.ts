import { quiet } from "./quiet.ts";

/** A script. All keys of a call must be in one slot. */
export type Script = { readonly sha1: string; readonly source: string };

/** The interface that a store uses, the same for every client library. */
export type RedisDriver = {
  /** The name of the server in messages: its address, if the client reports it. */
  readonly place: string;
  /** Whether the keys are distributed over several nodes, by slot. */
  readonly isCluster: boolean;
  /**
   * Returns undefined if commands can be sent, `"soon"` if waiting may help, otherwise the reason.
   */
  unready(): undefined | "soon" | Error;
  /** Returns the last error that the client reported; undefined if there was none. */
  lastError(): Error | undefined;
  /** Runs a script by its hash. Rejects with a NOSCRIPT error if the server does not have it. */
  runKnown(script: Script, keys: string[], values: string[]): Promise<unknown>;
  /** Runs a script by its source. The server then has it. */
  run(script: Script, keys: string[], values: string[]): Promise<unknown>;
  /**
   * Whether `nodeOf` returns machines. If not, it returns ranges of slots, or one name for
   * everything.
   */
  readonly knowsNodes: boolean;
  /** Returns the name of the node that has a slot. */
  nodeOf(slot: number): string;
};

/** The name of the node if there is only one, or if the client does not distinguish nodes. */
export const ONLY_NODE = "redis";

/** The part of an event emitter that is used. */
type Emitter = { on(event: "error", listener: (error: Error) => void): unknown };

type LastError = { last: Error | undefined };

const heard = new WeakMap<Emitter, LastError>();

/**
 * Listens to a client's errors, once per client, and returns the last one.
 *
 * An error without a listener would end the process, or be printed. The store's own events report
 * the errors that matter.
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
