/** Run as a process of its own: sends loads, one at a time, and reports what it saw. */
import { type Load, send } from "../service/load.ts";
import { admitted, mostlyRefused, spent } from "./requests.ts";

const REQUESTS = { admitted, mostlyRefused, spent };

/** What the generator receives. */
export type HttpLoad = Load & { readonly kind: keyof typeof REQUESTS };

process.on("message", async ({ kind, ...load }: HttpLoad) => {
  process.send?.(await send(REQUESTS[kind], load));
});
process.on("disconnect", () => process.exit());
