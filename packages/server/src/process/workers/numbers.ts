/** `/metrics` of a worker: any worker returns the metrics of all of them. */
import { merged, type WorkerPage } from "../../telemetry/index.ts";
import type { MetricsPage } from "../../transports/http-api/index.ts";
import { onHeard, say } from "./primary-link.ts";
import { Replies } from "./replies.ts";

/** Renders the metrics page, and reports this worker's own metrics on request. */
export function pageOfAll({ contentType, text }: MetricsPage): MetricsPage {
  const collected = new Replies<readonly WorkerPage[]>();
  onHeard("count", ({ round }) => void sayNumbers(text, round));
  onHeard("counted", ({ round, pages }) => collected.receive(round, pages));
  return {
    contentType,
    text: async function* all() {
      const round = collected.next();
      const pages = collected.to(round);
      say({ type: "count", round });
      yield* merged((await pages) ?? []);
    },
  };
}

async function sayNumbers(text: MetricsPage["text"], round: number): Promise<void> {
  const parts: string[] = [];
  for await (const part of text()) parts.push(part);
  say({ type: "numbers", round, text: parts.join("") });
}
