/** A worker's messages to its primary process, and back. */
import type { AskRules, RulesAnswer } from "../../transports/http-api/index.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { Replies } from "./replies.ts";

export type Heard<T extends ToWorker["type"]> = Extract<ToWorker, { type: T }>;

export function say(message: FromWorker, sent: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, sent);
}

/** Calls whenever the primary says something of a type. */
export function onHeard<T extends ToWorker["type"]>(
  type: T,
  call: (message: Heard<T>) => void,
): void {
  process.on("message", (message: ToWorker) => {
    if (message.type === type) call(message as Heard<T>);
  });
}

/** Waits until the primary says something of a type. */
export function heard<T extends ToWorker["type"]>(type: T): Promise<Heard<T>> {
  return new Promise((resolve) => onHeard(type, resolve));
}

/** Has the primary process answer queries. */
export function askPrimary(): AskRules {
  const answers = new Replies<RulesAnswer>();
  onHeard("answer", ({ round, answer }) => answers.receive(round, answer));
  return (query) => {
    const round = answers.next();
    const answer = answers.to(round) as Promise<RulesAnswer>;
    say({ type: "ask", round, query });
    return answer;
  };
}
