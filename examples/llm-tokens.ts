/**
 * LLM tokens: reserved by an estimate before the call, settled by the true number after it.
 *
 * What is not there yet is taken ahead of time: the call learns when it may start, waits, and needs
 * no second ask. So a long prompt is not starved by short ones that come along while it retries.
 */
import { MINUTE, RateLimiter, sleep } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";

// Leave the store out in an app: this one is here so that the story can let time go by.
const clock = manualClock();
const store = memoryStore({ clock });

const limiter = new RateLimiter(
  { llmTokens: { kind: "token bucket", rate: 40_000, period: MINUTE, maxReserved: 80_000 } },
  { store },
);

type Call = { readonly estimate: number; readonly run: () => Promise<number> };
type Wait = (ms: number) => Promise<unknown>;

/** Makes a call when its tokens are there. Returns what happened. */
export async function complete(org: string, call: Call, wait: Wait = sleep) {
  const reserved = call.estimate;
  const ask = limiter.limit("llmTokens", { key: org, count: reserved, reserve: true });
  if (!ask.ok) return `refused (${ask.reason}), come back in ${ask.retryAfter} ms`;
  await wait(ask.retryAfter);
  const used = await call.run();
  const { remaining } = limiter.settle("llmTokens", { key: org, reserved, used });
  return `started after ${ask.retryAfter} ms, used ${used} of ${reserved}, ${remaining} left`;
}

export async function story(): Promise<string[]> {
  const wait: Wait = async (ms) => clock.advance(ms);
  const call = (estimate: number, used: number): Call => ({ estimate, run: async () => used });
  return [
    await complete("acme", call(30_000, 12_000), wait),
    await complete("acme", call(30_000, 33_000), wait),
    await complete("acme", call(25_000, 25_000), wait),
    await complete("acme", call(90_000, 90_000), wait),
    await complete("globex", call(40_000, 40_000), wait),
  ];
}

if (import.meta.main) console.log((await story()).join("\n"));
