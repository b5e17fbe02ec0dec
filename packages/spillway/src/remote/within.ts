import type { Store } from "../core/index.ts";
import type { Call, Reply, Transport } from "./call.ts";
import { RemoteStore } from "./remote-store.ts";
import { Replay } from "./replay.ts";

/** How a transport joins transactions of the caller's; undefined where it can't. */
export function withinOf(
  transport: Transport,
): ((transaction: object) => Store<"later">) | undefined {
  const { within } = transport;
  if (within === undefined) return undefined;
  return (transaction) => {
    const send = within.call(transport, transaction);
    return new RemoteStore({
      carrier: { take: (_place, call) => carryOut(call, send) },
      placeOf: () => 0,
      refusals: undefined,
      within: undefined,
    });
  };
}

/**
 * One call at once: a transaction is not shared, nor may its statements wait for a turn to end. What
 * it has taken is not known to others before it commits, so nothing is remembered of it.
 */
async function carryOut<T>(
  call: Call,
  send: (calls: readonly Call[]) => Promise<Reply>,
): Promise<T> {
  const [outcome] = new Replay([call], await send([call])).run();
  if (outcome !== undefined && "answer" in outcome) return outcome.answer as T;
  throw outcome?.error;
}
