/**
 * Sign-ups limited twice: a hundred an hour for all, so that a flood of them costs no more than
 * that, and three a day for each address, so that one visitor cannot use up the hundred.
 *
 * Both are taken together. Where one refuses, the other is not charged.
 */
import { DAY, HOUR, RateLimiter } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";

// Leave the store out in an app: this one is here so that the story can let time go by.
const clock = manualClock();
const store = memoryStore({ clock });

const limiter = new RateLimiter(
  {
    signUps: { kind: "token bucket", rate: 100, period: HOUR },
    signUpsFrom: { kind: "token bucket", rate: 3, period: DAY },
  },
  { store },
);

/** Makes an account, or says which limit refuses it and when to come back. */
export function signUp(address: string): string {
  const { ok, refused, retryAfter } = limiter.limitAll([
    { limit: "signUps" },
    { limit: "signUpsFrom", key: address },
  ]);
  if (!ok) return `refused by ${refused.join(" and ")}, come back in ${retryAfter / 1000} s`;
  return "signed up";
}

export function story(): string[] {
  const one = Array.from({ length: 50 }, () => signUp("192.0.2.1"));
  const left = limiter.value("signUps").remaining;
  const others = Array.from({ length: 97 }, (_, n) => signUp(`198.51.100.${n}`));
  const lines = [
    `one address, 50 times: ${one.filter((answer) => answer === "signed up").length} signed up`,
    `the last of them: ${one[49]}`,
    `left for all others: ${left}`,
    `97 other addresses: ${others.filter((answer) => answer === "signed up").length} signed up`,
    `one more: ${signUp("203.0.113.1")}`,
  ];
  clock.advance(36_000);
  lines.push(`36 seconds later: ${signUp("203.0.113.1")}`);
  return lines;
}

if (import.meta.main) console.log(story().join("\n"));
