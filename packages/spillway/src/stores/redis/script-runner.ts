import type { RequestInfo } from "../index.ts";
import type { Connection } from "./clients/connect.ts";
import { ONLY_NODE } from "./clients/connection.ts";
import { SCRIPT } from "./script.generated.ts";

/** How clients say that a server does not know a script. */
const UNKNOWN = /^NOSCRIPT|NoScriptError/;

/** A call that carries the script itself. */
type Sending = {
  /** Resolves when it has an answer, whatever that is. */
  readonly ended: Promise<unknown>;
  readonly isLate: () => boolean;
};

/**
 * Runs the script by its hash. A node that has restarted, flushed its scripts or taken over does not know it:
 * then one call carries the script, and the others that failed wait for that one, and are sent again.
 */
export class ScriptRunner {
  readonly #connection: Connection;
  /** By node. */
  readonly #sending = new Map<string, Sending>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The script's reply. Rejects where a call failed, or would be sent after its deadline. */
  async run(keys: string[], values: string[], { slot, isLate }: Call): Promise<unknown> {
    for (;;) {
      try {
        return await this.#connection.runKnown(SCRIPT, keys, values);
      } catch (error) {
        // It did nothing yet.
        if (!UNKNOWN.test(String((error as Error)?.message)) || isLate()) throw error;
        const node = this.#nodeOf(slot);
        const sending = this.#sending.get(node);
        if (sending === undefined || sending.isLate()) {
          return this.#send(node, { answer: this.#connection.run(SCRIPT, keys, values), isLate });
        }
        await sending.ended;
        if (isLate()) throw error;
      }
    }
  }

  async #send(node: string, { answer, isLate }: Sent): Promise<unknown> {
    const sending = { ended: answer.catch(() => {}), isLate };
    this.#sending.set(node, sending);
    try {
      return await answer;
    } finally {
      if (this.#sending.get(node) === sending) this.#sending.delete(node);
    }
  }

  /** Where nodes are not distinguished, one after the other receives the script. */
  #nodeOf(slot: number): string {
    return this.#connection.knowsNodes ? this.#connection.nodeOf(slot) : ONLY_NODE;
  }
}

type Call = Pick<RequestInfo, "slot" | "isLate">;

type Sent = { readonly answer: Promise<unknown>; readonly isLate: () => boolean };
