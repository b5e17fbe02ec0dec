import { MINUTE } from "spillway/core";
import { afterDelay } from "spillway/support";
import type { Defence } from "../../transports/intake/index.ts";
import { ThrottledLog, type ThrottledLogOptions } from "./throttled-log.ts";

const MESSAGES: { readonly [D in Defence]: string } = {
  "connection-refused": "connections closed as they came, for --max-connections are open already: ",
  "handshake-cut": "connections of gRPC closed that did not begin to speak HTTP/2 in time: ",
  "message-dropped":
    "messages refused that were the oldest unfinished ones, for all connections held too " +
    "many bytes: ",
  "metrics-connection-refused":
    "connections to the port of metrics closed as they came, for it has all that it takes: ",
  "pipeline-cut": "connections cut that sent request after request without reading the answers: ",
  "reader-cut": "connections, or calls of gRPC, cut that stopped reading their answer: ",
};

/**
 * Creates a listener that logs how often a transport protected itself: at once, then once a minute.
 */
export function transportLog(options: ThrottledLogOptions): (defence: Defence) => void {
  const throttled = new ThrottledLog(options);
  const counts = new Map<Defence, number>();
  const report = (defence: Defence) => {
    const count = counts.get(defence) ?? 0;
    const message = MESSAGES[defence] + count;
    if (count > 0 && throttled.say({ sort: defence, message })) counts.set(defence, 0);
  };
  return (defence) => {
    counts.set(defence, (counts.get(defence) ?? 0) + 1);
    report(defence);
    // The first one held back starts the timer, so that all are reported even if no other follows.
    if (counts.get(defence) === 1) afterDelay(MINUTE, () => report(defence));
  };
}
