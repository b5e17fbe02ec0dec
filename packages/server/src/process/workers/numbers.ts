/** `/metrics` of a worker: any worker returns the metrics of all of them. */
import { merged, type WorkerPage } from "../../telemetry/index.ts";
import type { MetricsPage } from "../../transports/http-api/index.ts";
import { onMessage, sendMessage } from "./primary-link.ts";
import { Replies } from "./replies.ts";

/** Renders the metrics page, and reports this worker's own metrics on request. */
export function pageOfAll({ contentType, text }: MetricsPage): MetricsPage {
  const collected = new Replies<readonly WorkerPage[]>();
  onMessage("count", ({ round }) => void sendMetrics(text, round));
  onMessage("counted", ({ round, pages }) => collected.receive(round, pages));
  return {
    contentType,
    text: async function* all() {
      const round = collected.next();
      const pages = collected.to(round);
      sendMessage({ type: "count", round });
      yield* merged((await pages) ?? []);
    },
  };
}

async function sendMetrics(text: MetricsPage["text"], round: number): Promise<void> {
  const parts: string[] = [];
  for await (const part of text()) parts.push(part);
  sendMessage({ type: "numbers", round, text: parts.join("") });
}
