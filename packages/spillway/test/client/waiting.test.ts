/** Who is sent next: priorities have turns by their weights. */
import { expect, test } from "vitest";
import { WaitingLine, type WaitingRequest } from "../../src/client/hosts/waiting-line.ts";
import { PRIORITIES, type Priority } from "../../src/shedding/index.ts";

function join(line: WaitingLine<WaitingRequest>, priority: Priority, count: number): void {
  for (let joined = 0; joined < count; joined++) line.join({ priority, isAgain: false, route: "" });
}

/** Sends so many; their priorities. */
function send(line: WaitingLine<WaitingRequest>, count: number): readonly Priority[] {
  return Array.from({ length: count }, () => {
    const next = line.first() as WaitingRequest;
    line.send(next);
    return next.priority;
  });
}

const countOf = (sent: readonly Priority[], priority: Priority) =>
  sent.filter((one) => one === priority).length;

test("all priorities have turns while all of them wait, the highest most", () => {
  const line = new WaitingLine();
  for (const priority of PRIORITIES) join(line, priority, 200);
  const sent = send(line, 200);
  expect(PRIORITIES.map((priority) => countOf(sent, priority))).toEqual([160, 20, 12, 8]);
  expect(sent[0]).toBe("critical");
});

test("none of a priority has more turns later because nobody of it waited before", () => {
  const line = new WaitingLine();
  for (let count = 0; count < 100; count++) {
    join(line, "normal", 1);
    send(line, 1);
  }
  join(line, "background", 50);
  join(line, "normal", 50);
  expect(countOf(send(line, 14), "normal")).toBe(10);
});

test("whoever leaves has had no turn", () => {
  const line = new WaitingLine();
  join(line, "normal", 100);
  for (let count = 0; count < 50; count++) line.leave(line.first() as WaitingRequest);
  join(line, "low", 1);
  expect(countOf(send(line, 3), "low")).toBe(1);
  expect(line.length).toBe(48);
});

test("from either end, whoever has left is passed by", () => {
  const line = new WaitingLine();
  const waiting = ["/a", "/b", "/c", "/d"].map(
    (route): WaitingRequest => ({ priority: "normal", isAgain: false, route }),
  );
  for (const one of waiting) line.join(one);
  expect(line.first("newest")?.route).toBe("/d");
  expect(line.firstBut("/d", "newest")?.route).toBe("/c");
  for (const index of [3, 1, 0]) line.leave(waiting[index] as WaitingRequest);
  expect(line.first()?.route).toBe("/c");
  expect(line.first("newest")?.route).toBe("/c");
  line.leave(waiting[2] as WaitingRequest);
  expect(line.first()).toBeUndefined();
  line.join(waiting[0] as WaitingRequest);
  expect(line.first("newest")?.route).toBe("/a");
});
