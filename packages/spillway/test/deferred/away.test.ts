/** A place in the line is counted, or nobody has it. */
import { describe, expect, test } from "vitest";
import { Deferred, memoryQueue } from "../../src/deferred/index.ts";
import { RateLimiter } from "../../src/index.ts";
import { VirtualScheduler } from "../client/virtual-scheduler.ts";
import { breakableStore } from "../stores/remote/breakable.ts";
import { accepted, BUCKET, LEAKY } from "./memory-world.ts";

const LINES = [LEAKY, BUCKET] as const;
const WHEN = ["closed", "open", "local"] as const;

describe.each(LINES.flatMap((limit) => WHEN.map((when) => ({ limit, when }))))(
  "$limit.kind, $when",
  ({ limit, when }) => {
    test("work is refused while the store is away, and no place is given back that was not taken", async () => {
      const scheduler = new VirtualScheduler();
      const { clock } = scheduler;
      const { store, leave, comeBack } = breakableStore(clock);
      const options = { store, whenUnavailable: when };
      const limiter = new RateLimiter({ mailing: limit }, options);
      const queue = memoryQueue({ clock, scheduler });
      const mailing = new Deferred<string>({ limiter, limit: "mailing", queue, scheduler });
      const first = accepted(await mailing.submit("first"));
      leave();
      for (let n = 0; n < 9; n++) {
        expect(await mailing.submit(`${n}`)).toMatchObject({
          ok: false,
          decision: { ok: false, reason: "unavailable" },
        });
      }
      comeBack();
      const places = [
        await mailing.submit("a"),
        await mailing.submit("b"),
        await mailing.submit("c"),
      ];
      expect([first, ...places.map(accepted)].map(({ wait }) => wait)).toEqual([
        0, 500, 1000, 1500,
      ]);
      expect(await mailing.submit("d")).toMatchObject({ decision: { reason: "limited" } });
    });
  },
);
