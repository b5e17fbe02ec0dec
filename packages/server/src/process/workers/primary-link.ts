/** Exchanges messages between a worker and its primary process. */
import type { AskRules, RulesAnswer } from "../../transports/http-api/index.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { Replies } from "./replies.ts";

export type PrimaryMessage<T extends ToWorker["type"]> = Extract<ToWorker, { type: T }>;

export function sendMessage(message: FromWorker, sent: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, sent);
}

type Receiver = (message: ToWorker) => void;

/** The receivers by type. They share one listener, because Node warns of more than ten. */
const receivers = new Map<ToWorker["type"], Receiver[]>();

/** Calls a function for each message of a type from the primary process. */
export function onMessage<T extends ToWorker["type"]>(
  type: T,
  call: (message: PrimaryMessage<T>) => void,
): void {
  if (receivers.size === 0) process.on("message", receive);
  receivers.set(type, [...(receivers.get(type) ?? []), call as Receiver]);
}

function receive(message: ToWorker): void {
  for (const call of receivers.get(message.type) ?? []) call(message);
}

/** Waits for a message of a type from the primary process. */
export function nextMessage<T extends ToWorker["type"]>(type: T): Promise<PrimaryMessage<T>> {
  return new Promise((resolve) => onMessage(type, resolve));
}

/** Returns a function that sends queries to the primary process. */
export function askPrimary(): AskRules {
  const answers = new Replies<RulesAnswer>();
  onMessage("answer", ({ round, answer }) => answers.receive(round, answer));
  return (query) => {
    const round = answers.next();
    const answer = answers.to(round) as Promise<RulesAnswer>;
    sendMessage({ type: "ask", round, query });
    return answer;
  };
}
