/** A worker's side of a player. */
import type { Message, Order } from "./messages.ts";

/** The part of a worker's scope that is needed here. */
type Scope<Setup, Answer> = {
  postMessage(message: Message<Answer>, transfer: Transferable[]): void;
  onmessage: ((event: { readonly data: Order<Setup> }) => void) | null;
};

/**
 * Answers to a setup, in order. Undefined is a part of the work that has no answer of its own.
 *
 * The buffers of `transfer` can't be used in the worker any more.
 */
export type Parts<Answer> =
  | Iterable<Part<Answer> | undefined>
  | AsyncIterable<Part<Answer> | undefined>;

type Part<Answer> = { readonly answer: Answer; readonly transfer?: Transferable[] };

/**
 * Plays each setup of the page. Between two parts, a newer setup ends the play of an older one.
 *
 * An error is sent too: a rejection in a worker is no event there.
 */
export function servePage<Setup, Answer>(play: (setup: Setup) => Parts<Answer>): void {
  const scope = self as unknown as Scope<Setup, Answer>;
  let newest = 0;
  scope.onmessage = async ({ data: { number, setup } }) => {
    newest = number;
    try {
      for await (const part of play(setup)) {
        if (part !== undefined) {
          scope.postMessage({ number, answer: part.answer }, part.transfer ?? []);
        }
        await messagesRead();
        if (number !== newest) return;
      }
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      scope.postMessage({ number, problem }, []);
    }
  };
}

/** Lets the worker read the messages that have arrived. A timer would wait for 4 ms in time. */
function messagesRead(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((read) => {
    port1.onmessage = () => {
      port1.close();
      read();
    };
    port2.postMessage(undefined);
  });
}
