import { MINUTE, RateLimiter, type Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory/index.ts";
import { manualClock } from "../../src/testing/index.ts";
import { fresh as freshOf } from "../fresh.ts";
import { later } from "./later.ts";

export const LIMITS = {
  reports: { kind: "concurrency", capacity: 3, ttl: 5 * MINUTE },
  exports: { kind: "concurrency", capacity: 1, ttl: MINUTE },
  sendMessage: { kind: "token bucket", rate: 10, period: MINUTE },
} as const;

export const key = "user 7";

export const fresh = () => freshOf(LIMITS);

export function across(store: Store<"later"> = later(memoryStore({ clock: manualClock() }))) {
  return new RateLimiter(LIMITS, { store });
}
