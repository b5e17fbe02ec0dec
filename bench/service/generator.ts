/** Run as a process of its own: sends loads, one at a time, and reports what it saw. */
import { type Load, send } from "./load.ts";
import { requests } from "./question.ts";

const asked = requests();
process.on("message", async (load: Load) => {
  process.send?.(await send(asked, load));
});
process.on("disconnect", () => process.exit());
