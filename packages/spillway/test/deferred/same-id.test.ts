import { expect, test } from "vitest";
import { Deferred, type Submission } from "../../src/deferred/index.ts";
import { accepted, LEAKY, worldOf } from "./memory-world.ts";

test("the same id is reserved and queued once, also when it is asked for at once", async () => {
  const { mailing, limiter } = worldOf(LEAKY);
  const id = "6f1dd2f0-7c1e-4c8e-9d3a-0d6b5a4f1c2e";
  const answers = await Promise.all([1, 2, 3].map((n) => mailing.submit(`${n}`, { id })));
  expect(new Set(answers.map((each) => accepted(each).startAt)).size).toBe(1);
  await mailing.submit("again", { id });
  expect(limiter.value("mailing").remaining).toBe(3);
});

test("a thousand who ask for one job at once have it, though the line has four places", async () => {
  const { mailing, limiter } = worldOf(LEAKY);
  const id = "6f1dd2f0-7c1e-4c8e-9d3a-0d6b5a4f1c2e";
  const all = Array.from({ length: 1000 }, () => mailing.submit("letter", { id }));
  expect(new Set((await Promise.all(all)).map((each) => accepted(each).startAt)).size).toBe(1);
  expect(limiter.value("mailing").remaining).toBe(3);
});

test("the last place in the line, taken by another process, is both of theirs who ask for one job", async () => {
  const { mailing, limiter, queue, scheduler } = worldOf({ ...LEAKY, capacity: 1 });
  const other = new Deferred<string>({ limiter, limit: "mailing", queue, scheduler });
  const id = "6f1dd2f0-7c1e-4c8e-9d3a-0d6b5a4f1c2e";
  const { find } = queue;
  let first: Promise<Submission> | undefined;
  // It is not there when it is looked for, and is queued before the line is asked.
  queue.find = async (asked) => {
    const found = await find.call(queue, asked);
    queue.find = find;
    first = other.submit("letter", { id });
    await first;
    return found;
  };
  const second = accepted(await mailing.submit("letter", { id }));
  expect(second.startAt).toBe(accepted((await first) as Submission).startAt);
});
