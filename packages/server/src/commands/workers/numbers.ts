/** `/metrics` of a worker: it has the numbers of all, whichever of them is asked. */
import { merged } from "../../telemetry/index.ts";
import type { MetricsPage } from "../../transports/http-api/index.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

type Pages = Extract<ToWorker, { type: "counted" }>["pages"];

/** Makes the page, and has the worker say its own numbers when it is asked. */
export function pageOfAll({ contentType, text }: MetricsPage): MetricsPage {
  const waiting = new Map<number, (pages: Pages) => void>();
  let last = 0;
  process.on("message", (message: ToWorker) => {
    if (message.type === "count") void sayNumbers(text, message.round);
    if (message.type !== "counted") return;
    waiting.get(message.round)?.(message.pages);
    waiting.delete(message.round);
  });
  const collected = () =>
    new Promise<Pages>((resolve) => {
      const round = ++last;
      waiting.set(round, resolve);
      say({ type: "count", round });
    });
  return {
    contentType,
    text: async function* all() {
      yield* merged(await collected());
    },
  };
}

async function sayNumbers(text: MetricsPage["text"], round: number): Promise<void> {
  const parts: string[] = [];
  for await (const part of text()) parts.push(part);
  say({ type: "numbers", round, text: parts.join("") });
}

function say(message: FromWorker): void {
  process.send?.(message, undefined, undefined, () => {});
}
