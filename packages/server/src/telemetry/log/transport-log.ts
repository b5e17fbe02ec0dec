import { MINUTE } from "spillway/core";
import { afterDelay } from "spillway/support";
import type { Defence } from "../../transports/intake/index.ts";
import { ThrottledLog, type ThrottledLogOptions } from "./throttled-log.ts";

const MESSAGES: { readonly [D in Defence]: string } = {
  "connection-refused":
    "connections closed on arrival, because --max-connections were already open: ",
  "handshake-cut": "gRPC connections closed because HTTP/2 did not start in time: ",
  "message-dropped":
    "unfinished messages refused, the oldest first, because all of them held too many bytes: ",
  "metrics-connection-refused":
    "connections to the metrics port closed on arrival, because too many were already open: ",
  "pipeline-cut": "connections cut because the client sent requests without reading the answers: ",
  "reader-cut": "connections or calls cut because the client stopped reading the answer: ",
  "stream-refused": "requests over HTTP/2 refused, because too many were under way: ",
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
