import { Deferred, memoryQueue, type Submission } from "../../src/deferred/index.ts";
import { type Limit, RateLimiter } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { VirtualScheduler } from "../client/virtual-scheduler.ts";

export const LEAKY = { kind: "leaky bucket", rate: 2, period: 1000, capacity: 4 } as const;
export const BUCKET = {
  kind: "token bucket",
  rate: 2,
  period: 1000,
  capacity: 1,
  maxReserved: 3,
} as const;

export function worldOf(limit: Limit, attempts = 1) {
  const scheduler = new VirtualScheduler();
  const { clock } = scheduler;
  const limiter = new RateLimiter({ mailing: limit }, { store: memoryStore({ clock }) });
  const queue = memoryQueue({ clock, scheduler, attempts });
  const mailing = new Deferred<string>({ limiter, limit: "mailing", queue, scheduler });
  return { scheduler, clock, began: clock(), limiter, queue, mailing };
}

export function accepted(submission: Submission) {
  if (!submission.ok) throw new Error(`refused: ${submission.decision.retryAfter}`);
  return submission.job;
}
