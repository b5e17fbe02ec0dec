/** Run as a process of its own: sends the loads it is told to, and tells what it saw. */
import { type ClosedLoad, closedLoad } from "./closed-load.ts";
import { type OpenLoad, openLoad } from "./open-load.ts";

/** What it is told: one at a time. */
export type Order = { readonly open: OpenLoad } | { readonly closed: ClosedLoad };

process.on("message", async (order: Order) => {
  process.send?.("open" in order ? await openLoad(order.open) : await closedLoad(order.closed));
});
process.on("disconnect", () => process.exit());
