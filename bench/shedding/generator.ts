/** Run as a process of its own: sends loads, one at a time, and reports what it saw. */
import { type ClosedLoad, closedLoad } from "./closed-load.ts";
import { type OpenLoad, openLoad } from "./open-load.ts";

/** A load to send. */
export type Order = { readonly open: OpenLoad } | { readonly closed: ClosedLoad };

process.on("message", async (order: Order) => {
  process.send?.("open" in order ? await openLoad(order.open) : await closedLoad(order.closed));
});
process.on("disconnect", () => process.exit());
