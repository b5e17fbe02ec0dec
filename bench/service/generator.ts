/** Run as a process of its own: sends loads, one at a time, and reports what it saw. */
import { type Load, send } from "./load.ts";
import { requestTexts } from "./question.ts";

const texts = requestTexts();
process.on("message", async (load: Load) => {
  process.send?.(await send(texts, load));
});
process.on("disconnect", () => process.exit());
