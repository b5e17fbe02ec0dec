import { channel } from "node:diagnostics_channel";
import type { OnCall } from "spillway/telemetry";

const calls = channel("spillway.call");

/** Publishes what limiters do to whoever in this process has subscribed. */
export const onCall: OnCall = (call) => {
  if (calls.hasSubscribers) calls.publish(call);
};
