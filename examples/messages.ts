/**
 * Messages: ten a minute for each user, and what was not sent rolls over, up to twenty.
 *
 * The capacity is what a user can send at once after a quiet time; the rate is what comes back.
 */
import { MINUTE, RateLimiter, SECOND } from "spillway";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";

// Leave the store out in an app: this one is here so that the story can let time go by.
const clock = manualClock();
const store = memoryStore({ clock });

const limiter = new RateLimiter(
  { sendMessage: { kind: "token bucket", rate: 10, period: MINUTE, capacity: 20 } },
  { store },
);

const sent: string[] = [];

/** Sends a message. Answers 0, or the milliseconds after which it can be sent. */
export function send(user: string, message: string): number {
  const { ok, retryAfter } = limiter.limit("sendMessage", { key: user });
  if (ok) sent.push(message);
  return ok ? 0 : retryAfter;
}

/** What the page shows beside the text field. */
export function left(user: string): string {
  const { remaining, capacity } = limiter.value("sendMessage", { key: user });
  return `${remaining} of ${capacity} messages left`;
}

export function story(): string[] {
  const lines = [`at first: ${left("ada")}`];
  const waits = Array.from({ length: 25 }, (_, n) => send("ada", `message ${n + 1}`));
  lines.push(`25 at once: ${sent.length} are sent, then the wait is ${waits.at(-1)} ms`);
  lines.push(`another user: ${left("grace")}`);
  clock.advance(30 * SECOND);
  lines.push(`half a minute later: ${left("ada")}`);
  clock.advance(MINUTE);
  lines.push(`a minute later: ${left("ada")}`);
  clock.advance(MINUTE);
  lines.push(`and another: ${left("ada")}`);
  return lines;
}

if (import.meta.main) console.log(story().join("\n"));
