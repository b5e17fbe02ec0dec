/** A worker's side of a player. */
import type { Message } from "./messages.ts";

/** The part of a worker's scope that is needed here. */
type Scope<Setup, Answer> = {
  postMessage(message: Message<Answer>, transfer: Transferable[]): void;
  onmessage: ((event: { readonly data: Setup }) => void) | null;
};

/** Sends one answer; the buffers to transfer can't be used here any more. */
export type Send<Answer> = (answer: Answer, transfer?: Transferable[]) => void;

/** Plays each setup of the page. An error is sent too: a rejection in a worker is no event there. */
export function servePage<Setup, Answer>(
  play: (setup: Setup, send: Send<Answer>) => void | Promise<void>,
): void {
  const scope = self as unknown as Scope<Setup, Answer>;
  scope.onmessage = async ({ data }) => {
    try {
      await play(data, (answer, transfer = []) => scope.postMessage({ answer }, transfer));
      scope.postMessage({ done: true }, []);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      scope.postMessage({ problem }, []);
    }
  };
}
