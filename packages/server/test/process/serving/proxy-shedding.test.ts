/** What a proxy's log says of its shedder. */
import { MINUTE, SpillwayError } from "spillway/core";
import type { ShedderEvent } from "spillway/shedding";
import { manualClock } from "spillway/testing";
import { expect, it } from "vitest";
import { sheddingLog } from "../../../src/process/serving/proxy-shedding.ts";

const shedder = "proxy";
const OVERLOADED: ShedderEvent = { type: "overloaded", shedder };
const RECOVERED: ShedderEvent = { type: "recovered", shedder };

function fresh() {
  const clock = manualClock();
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  return { clock, lines, log: sheddingLog({ warn: write, info: write, clock }) };
}

it("says when an overload begins and ends, at most once a minute", () => {
  const { clock, lines, log } = fresh();
  for (let times = 0; times < 5; times++) {
    log(OVERLOADED);
    log(RECOVERED);
  }
  expect(lines).toEqual([
    "the servers are overloaded: the least important requests get 503; see --priority",
    "the servers are no longer overloaded",
  ]);
  clock.advance(MINUTE);
  log(OVERLOADED);
  expect(lines).toHaveLength(3);
});

it("says which values the shedder ignores, without what could hide text", () => {
  const { lines, log } = fresh();
  const error = new SpillwayError({
    code: "bad-work",
    field: "x",
    value: 1,
    expected: "a\u001b[2J",
  });
  log({ type: "bad work", shedder, error });
  log({ type: "shed", shedder, priority: "low", cause: "late", shadow: false });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^the shedder ignores a value: .*x/);
  expect(lines[0]).not.toContain("\u001b");
});
