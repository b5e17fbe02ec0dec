/** Who is asked; the first is what the others are held to. */
import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { type Decision, type Limit, RateLimiter } from "spillway";
import { redisStore } from "spillway/redis";
import { bareStep } from "../peers/bare-step.ts";
import { type Pace, SHARE } from "./setting.ts";

/** Whether a unit was there, or what says so. */
type Answer = boolean | Pick<Decision, "ok" | "degraded">;

/**
 * Asks for one unit of a key. What the contender returns is passed on as it is, for a promise more would be half of
 * what a decision in memory costs.
 */
export type Ask = (key: string) => Answer | Promise<Answer>;

type Opened = {
  readonly ask: Ask;
  /** Gives back what is held, so that the next run finds the server at rest. */
  close?(): Promise<void>;
};
type Open = (url: string, pace: Pace) => Opened;

export const CONTENDERS: Readonly<Record<string, Open>> = {
  "spillway redis shares": (url, pace) => spillway(url, { ...bucket(pace), share: SHARE }),
  "spillway redis": (url, pace) => spillway(url, bucket(pace)),
  "bare bucket in memory": (_, pace) => {
    const bare = bareStep.open(pace);
    return { ask: (key) => bare.ask([key]) === 1 };
  },
  "rate-limiter-flexible redis": (url, pace) => flexible(url, pace, {}),
  "rate-limiter-flexible with its in-memory block": (url, pace) =>
    flexible(url, pace, { inMemoryBlockOnConsumed: pace.rate }),
};

function bucket({ rate, period }: Pace) {
  return { kind: "token bucket", rate, period, capacity: rate } as const;
}

function spillway(url: string, limit: Limit): Opened {
  const client = new Redis(url, { autoResendUnfulfilledCommands: false });
  // A moment in which the machine is busy elsewhere is no outage.
  const store = redisStore(client, { deadline: 5000, warn: () => {} });
  const limiter = new RateLimiter({ it: limit } as { it: typeof limit }, { store });
  return {
    ask: (key) => limiter.limit("it" as never, { key }),
    close: () => limiter.giveBack(),
  };
}

/** Whether an answer admits. @throws Error where the store took no part in it */
export function isAdmitted(answer: Answer): boolean {
  if (typeof answer === "boolean") return answer;
  if (answer.degraded) throw new Error("answered without the store");
  return answer.ok;
}

function flexible(url: string, { rate, period }: Pace, options: object): Opened {
  const limiter = new RateLimiterRedis({
    storeClient: new Redis(url),
    points: rate,
    duration: period / 1000,
    ...options,
  });
  const refused = (reason: unknown) => {
    if (reason instanceof Error) throw reason;
    return false;
  };
  return {
    ask: (key) => limiter.consume(key).then(() => true, refused),
  };
}
