import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asProgram, asRule } from "../../src/commands/try/as-code.ts";
import { axis, bars, time } from "../../src/commands/try/picture.ts";
import { play } from "../../src/commands/try/play.ts";
import { readRate } from "../../src/commands/try/read-rate.ts";
import { readTraffic } from "../../src/commands/try/read-traffic.ts";
import { CommandError } from "../../src/process/command-error.ts";
import { complaint, directory, inDirectory, run } from "../support/command-scene.ts";
import { problemsOf } from "../support/rules.ts";

inDirectory();

const PAGE = readFileSync(new URL("../../../../docs/service/try.md", import.meta.url), "utf8");

/** What the page shows under a command. */
function shown(command: string): string {
  const [, output = ""] = PAGE.split(`$ npx ${command}\n`);
  return output.slice(0, output.indexOf("```"));
}

describe("a rate", () => {
  it.each([
    ["10/min", 10, 60_000],
    ["5 per second", 5, 1000],
    ["1000/day", 1000, 86_400_000],
    ["20 per 15 minutes", 20, 900_000],
    ["3 / 10s", 3, 10_000],
    ["1 an hour", 1, 3_600_000],
    ["7 every 250 ms", 7, 250],
    ["2/W", 2, 604_800_000],
  ])("%s is read", (text, rate, period) => {
    expect(readRate(text)).toEqual({ rate, period });
  });

  it.each([
    ["10/mni", '"mni" at character 4, expected a unit of time. Did you mean "10/min"?'],
    ["ten/min", '"ten" at character 1, expected a whole number, 1 or more.'],
    ["10 pre min", '"pre" at character 4, expected "/" or "per"'],
    ["10", 'its end at character 3, expected "/" or "per"'],
    ["0/min", '"0" at character 1, expected a whole number, 1 or more.'],
    ["1.5/min", '"1.5" at character 1, expected a whole number, 1 or more.'],
    ["-1/min", '"-" at character 1'],
    ["10/min each", '"each" at character 8, expected nothing more.'],
    ["", "its end at character 1"],
  ])("%s is refused with its place", (text, message) => {
    expect(() => readRate(text)).toThrow(message);
  });
});

describe("traffic", () => {
  it("is spread evenly, or comes at once, in phases", () => {
    const { arrivals, duration } = readTraffic("2 at once, then 4/s for 1s then 1/min for 1 min");
    expect(arrivals).toEqual([0, 0, 0, 250, 500, 750, 1000]);
    expect(duration).toBe(61_000);
  });

  it.each([
    "20 in 2s",
    "20 in 2 s",
    "20 requests in 2s",
    "20 Clicks IN 2 seconds",
    "1 call in 100ms, 19 calls in 1900 ms",
  ])("%s is as many, spread over that time", (text) => {
    expect(readTraffic(text)).toEqual(readTraffic("10/s for 2s"));
  });

  it("is exactly as many, if they don't divide the time", () => {
    const { arrivals, duration } = readTraffic("7 in 10ms, then 1 request at once");
    expect(arrivals).toEqual([0, 1, 2, 4, 5, 7, 8, 10]);
    expect(duration).toBe(10);
  });

  it("is bursts with pauses between them", () => {
    const { arrivals, duration } = readTraffic("2 at once every 10s for 25s, then 1 at once");
    expect(arrivals).toEqual([0, 0, 10_000, 10_000, 20_000, 20_000, 30_000]);
    expect(duration).toBe(30_000);
  });

  it.each([
    ["10 at onc", 'Did you mean "10 at once"?'],
    ["10/s", 'its end at character 5, expected "for"'],
    ["10/s for 2 fortnights", '"fortnights" at character 12, expected a unit of time.'],
    ["100001 at once", "has 100001 requests or more, expected at most 100000"],
    ["1000000/ms for 366d", "expected at most 100000"],
    ["2 at once every 1ms for 366d", "expected at most 100000"],
    ["2 at once every 1m", 'its end at character 19, expected "for"'],
    ["20 per 2s", 'expected "for" and how long, such as "20 per 2s for 20s"; or "20 in 2s" if'],
    [
      "5/s, then 1/min for 1h",
      '"," at character 4, expected "for" and how long, such as "5/s for 10s"',
    ],
    ["5/s fro 1h", 'Did you mean "5/s for 1h"?'],
    ["100001 in 1s", "has 100001 requests or more, expected at most 100000"],
    ["20 in", "its end at character 6, expected a unit of time."],
    ["20 tokens in 2s", '"tokens" at character 4, expected "/" or "per"'],
    ["20 inn 2s", 'Did you mean "20 in 2s"?'],
  ])("%s is refused", (text, message) => {
    expect(() => readTraffic(text)).toThrow(message);
  });
});

it("reads any text, or says what is wrong with it", () => {
  const words = fc.constantFrom(
    "10",
    "/",
    "per",
    "min",
    "2m",
    "for",
    "in",
    "at",
    "once",
    ",",
    "then",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(words).map((parts) => parts.join(" ")),
  );
  fc.assert(
    fc.property(text, fc.constantFrom(readRate, readTraffic), (typed, read) => {
      try {
        read(typed);
      } catch (error) {
        expect(error).toBeInstanceOf(CommandError);
        expect((error as CommandError).code).toMatch(/^bad-(?:rate|traffic)$/);
      }
    }),
  );
});

describe("a play", () => {
  const kinds = ["token bucket", "fixed window", "sliding window", "sliding log"] as const;

  it("admits no more than the limit promises, and counts every request once", () => {
    const numbers = {
      rate: fc.integer({ min: 1, max: 50 }),
      count: fc.integer({ min: 1, max: 99 }),
    };
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.record(numbers), (kind, { rate, count }) => {
        const traffic = readTraffic(`${count} at once, then ${count}/s for 3s`);
        const played = play({ limit: { kind, rate, period: 1000 }, traffic, span: 3000, width: 7 });
        expect(played.admitted + played.refused).toBe(traffic.arrivals.length);
        expect(played.admitted).toBeLessThanOrEqual(4 * rate);
        expect(played.admitted).toBeGreaterThanOrEqual(Math.min(rate, traffic.arrivals.length));
        const left = played.columns.map((column) => column.left);
        expect(Math.max(...left)).toBeLessThanOrEqual(rate);
      }),
    );
  });

  it("says when the first is refused, and how long a leaky bucket makes wait", () => {
    const limit = { kind: "leaky bucket", rate: 1, period: 1000, capacity: 2 } as const;
    const traffic = readTraffic("4 at once");
    const played = play({ limit, traffic, span: 1000, width: 4 });
    expect(played).toMatchObject({ admitted: 2, refused: 2, longestWait: 1000 });
    expect(played.firstRefusal).toEqual({ at: 0, retryAfter: 1000 });
  });
});

describe("a picture", () => {
  it("has bars in proportion", () => {
    expect(bars([0, 1, 4, 8, 16], 16)).toBe(" ▁▂▄█");
  });

  it("has an axis as wide as itself", () => {
    const line = axis({ span: 120_000, width: 30 });
    expect(line).toHaveLength("  admitted  ".length + 30);
    expect(line).toMatch(/^ {12}0 +1 min +2 min$/);
    expect(time(1500)).toBe("1.5 s");
  });
});

describe("the limit as code", () => {
  const limit = { kind: "fixed window", rate: 20, period: 900_000, capacity: 40 } as const;

  it("is a rule that the service reads", () => {
    const rules = ["domain: tried", "descriptors:", ...asRule(limit).map((line) => `  ${line}`)];
    expect(problemsOf(rules.join("\n"))).toEqual([]);
  });

  it("names the period", () => {
    expect(asProgram(limit)[1]).toContain('period: "15m", capacity: 40');
    expect(asProgram({ ...limit, period: 60_000 })[0]).toContain("{ MINUTE, RateLimiter }");
  });
});

describe("spillway try", () => {
  it.each(['spillway try "10/min" --burst 20 --traffic "30/min for 2m"'])(
    "prints what the page shows",
    async (typed) => {
      const args = [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, bare]) => quoted ?? bare,
      );
      const command = run(args.slice(1) as string[]);
      expect(await command.ended()).toBe(0);
      expect(command.stdout).toBe(shown(typed));
    },
  );

  it("counts one request as one", async () => {
    const command = run(["try", "1/min", "--traffic", "1 at once"]);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toMatch(/^1 request in 0 ms\n/);
  });

  it("compares kinds on one axis", async () => {
    const command = run(["try", "5/s", "--kind", "token-bucket", "--kind", "sliding log"]);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toMatch(
      /^token bucket, 5 per second\n(.*\n){5}sliding log, 5 per second$/m,
    );
  });

  it.each([
    [["10/mni"], /^bad-rate .* Did you mean "10\/min"\?/],
    [["2000000000/s"], /^bad-rate .*rate/],
    [["1/s", "--burst", "many"], /Expected a whole number from 1 to 1000000000/],
    [["1/s", "--kind", "token bucked"], /Did you mean "token bucket"\?/],
    [["1/s", "--traffic", "10"], /^bad-traffic /],
  ])("says what is wrong with %j", async (args, message) => {
    expect(await complaint(["try", ...args])).toMatch(message);
  });
});

describe("spillway init", () => {
  it("writes rules that are well, and says what comes next", async () => {
    const path = join(directory, "mine.yaml");
    const command = run(["init", path]);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toContain(`spillway check ${path}`);
    expect(problemsOf(readFileSync(path, "utf8"))).toEqual([]);
  });

  it("writes over nothing", async () => {
    const path = join(directory, "shop.yaml");
    const before = readFileSync(path, "utf8");
    expect(await complaint(["init", path])).toMatch(/^file-exists .*was not changed/);
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("says where it can't write", async () => {
    const said = await complaint(["init", join(directory, "no", "rules.yaml")]);
    expect(said).toMatch(/^unwritable-path .*no such file or directory/);
  });
});
