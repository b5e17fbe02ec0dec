/** Limits of a program that follow rule files. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Limits, RateLimiter } from "spillway";
import { describe, expect, it } from "vitest";
import { type LimitsChange, watchRules } from "../../../src/index.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { following, rename, ruleFile, rulesOf } from "./program-scene.ts";

const key = "ann";
const isUnknown = expect.objectContaining({ code: "unknown-limit" });

function capacityOf({ search }: Limits): number | undefined {
  return search !== undefined && "capacity" in search ? search.capacity : undefined;
}

describe("watchRules on files", () => {
  it("gives the limits of a file, with their modes, and follows it", async () => {
    const file = ruleFile(rulesOf({ search: 5, login: 3 }));
    const { rules, limiter, changes } = await following(file);
    expect(limiter.limit("search", { key })).toMatchObject({ ok: true, capacity: 5 });
    rename(file, rulesOf({ search: 9, order: 1 }).replace("rate: 9", "rate: 9, mode: shadow"));
    const { added, changed, removed } = await changes.next();
    expect({ added, changed, removed }).toEqual({
      added: ["order"],
      changed: ["search"],
      removed: ["login"],
    });
    expect(limiter.limit("search", { key })).toMatchObject({ capacity: 9, remaining: 7 });
    expect(limiter.limit("order").ok).toBe(true);
    expect(() => limiter.limit("login")).toThrow(isUnknown);
    expect(limiter.limits).toEqual(rules.limits);
  });

  it("takes modes from the file, also off, and keeps the other switches of the program", async () => {
    const text = rulesOf({ search: 1, login: 1, order: 1 });
    const file = ruleFile(text);
    const { limiter, changes } = await following(file);
    limiter.setMode("off", { limit: "login" });
    limiter.setMode("off", { limit: "search" });
    rename(
      file,
      text
        .replace("name: search", "name: search, mode: shadow")
        .replace("name: order", "name: order, mode: off"),
    );
    await changes.next();
    expect(limiter.modes).toEqual({ search: "shadow", login: "off", order: "off" });
    rename(file, text);
    await changes.next();
    expect(limiter.modes).toEqual({ search: "enforce", login: "off", order: "enforce" });
  });

  it("keeps the limits while a file is wrong, and says so as spillway check does", async () => {
    const file = ruleFile(rulesOf({ search: 5 }));
    const { rules, limiter, problems, changes } = await following(file);
    rename(file, `${rulesOf({ search: 9 })}desriptors: []\n`);
    const problem = await problems.next();
    expect(problem).toContain(`${file}:5:1 unknown-field found "desriptors"`);
    expect(rules.problem).toBe(problem);
    expect(limiter.limit("search").capacity).toBe(5);
    rename(file, rulesOf({ search: 7 }));
    await changes.next();
    expect(rules.problem).toBeUndefined();
    expect(limiter.limit("search").capacity).toBe(7);
    rmSync(file);
    expect(await problems.next()).toContain("no such file");
    expect(limiter.limit("search").capacity).toBe(7);
  });

  it("follows a link that is swapped, as Kubernetes does it", async () => {
    const directory = temporaryDirectory();
    const version = (name: string, text: string) => {
      mkdirSync(join(directory, name));
      writeFileSync(join(directory, name, "limits.yaml"), text);
      symlinkSync(name, join(directory, "..data.new"));
      renameSync(join(directory, "..data.new"), join(directory, "..data"));
    };
    version("..1", rulesOf({ search: 5 }));
    symlinkSync(join("..data", "limits.yaml"), join(directory, "limits.yaml"));
    const { limiter, changes } = await following(pathToFileURL(join(directory, "limits.yaml")));
    version("..2", rulesOf({ search: 9 }));
    rmSync(join(directory, "..1"), { recursive: true });
    await changes.next();
    expect(limiter.limit("search").capacity).toBe(9);
  });

  it("reads directories, of which files come and go", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "a.yaml"), rulesOf({ search: 5 }, "a"));
    const { limiter, changes } = await following([directory]);
    writeFileSync(join(directory, "b.yaml"), rulesOf({ order: 1 }, "b"));
    expect(await changes.next()).toMatchObject({ added: ["order"], removed: [] });
    rmSync(join(directory, "a.yaml"));
    expect(await changes.next()).toMatchObject({ added: [], removed: ["search"] });
    expect(Object.keys(limiter.limits)).toEqual(["order"]);
  });

  it("throws for a file that is wrong at first, and for a source that is none", async () => {
    const file = ruleFile(`${rulesOf({ search: 9 })}desriptors: []\n`);
    await expect(watchRules(file)).rejects.toThrow(`${file}:5:1 unknown-field`);
    await expect(watchRules(`${file}x`)).rejects.toMatchObject({ code: "unreadable-path" });
    const good = ruleFile(rulesOf({ search: 9 }));
    await expect(watchRules(good, { domain: "chop" })).rejects.toThrow(
      "found no domain chop, expected one of shop",
    );
    for (const source of [[], "", 7, [file, "http://localhost"], "http://", "http://a@b"]) {
      await expect(watchRules(source as never)).rejects.toMatchObject({ code: "bad-source" });
    }
  });

  it("decides by definitions of the file only, however often it changes meanwhile", async () => {
    const pair = (turn: number) => rulesOf({ search: 1000 + turn, login: 1000 + turn });
    const file = ruleFile(pair(0));
    const readers = await Promise.all([following(file), following(file)]);
    let isOver = false;
    const deciding = readers.map(async ({ limiter, rules }) => {
      let calls = 0;
      while (!isOver) {
        const joint = limiter.limitAll([{ limit: "search" }, { limit: "login" }]);
        const [one, other] = joint.decisions;
        // Both are of one file; and what is shown is what decides.
        expect(one?.capacity).toBe(other?.capacity);
        expect(rules.limits.search).toMatchObject({ capacity: one?.capacity });
        calls++;
        await new Promise(setImmediate);
      }
      return calls;
    });
    for (let turn = 1; turn <= 1000; turn++) {
      rename(file, pair(turn));
      await new Promise(setImmediate);
      if (turn % 100 > 0) continue;
      const isRead = ({ limits }: LimitsChange) => capacityOf(limits) === 1000 + turn;
      await Promise.all(readers.map(({ changes }) => changes.next(isRead)));
    }
    isOver = true;
    expect(Math.min(...(await Promise.all(deciding)))).toBeGreaterThan(0);
    for (const { limiter } of readers) expect(limiter.limit("search").capacity).toBe(2000);
  });

  it("ends what it does by close, and by using", async () => {
    const file = ruleFile(rulesOf({ search: 5 }));
    const { rules, limiter, changes } = await following(file);
    const other = await following(file);
    rules.close();
    rename(file, rulesOf({ search: 9 }));
    await other.changes.next();
    expect(changes.size).toBe(0);
    expect(limiter.limit("search").capacity).toBe(5);
    await (async () => {
      await using again = await watchRules(file);
      expect(again.limits).toEqual(other.rules.limits);
    })();
  });
});

describe("keep", () => {
  it("gives a limiter what it has missed, and leaves the program's own limits", async () => {
    const file = ruleFile(rulesOf({ search: 5, login: 3 }));
    const { rules, changes } = await following(file);
    const mine = { kind: "token bucket", rate: 2, period: "1d" } as const;
    const late = new RateLimiter<Limits>({ ...rules.limits, mine });
    rename(file, rulesOf({ search: 9 }));
    await changes.next();
    rules.keep(late);
    rules.keep(late);
    expect(late.limits).toEqual({ ...rules.limits, mine });
  });

  it("gives a definition of the program back when its rule disappears", async () => {
    const file = ruleFile(rulesOf({ search: 5 }));
    const { rules, changes } = await following(file);
    const limiter = new RateLimiter({
      search: { kind: "token bucket", rate: 2, period: "1d" },
      login: { kind: "token bucket", rate: 2, period: "1d" },
    });
    rules.keep(limiter);
    expect(limiter.limit("search").capacity).toBe(5);
    rename(file, rulesOf({ login: 7 }));
    await changes.next();
    expect(limiter.limit("search").capacity).toBe(2);
    expect(limiter.limit("login").capacity).toBe(7);
  });

  it("leaves a limiter as it is that has another kind of limit, and changes the others", async () => {
    const file = ruleFile(rulesOf({ search: 5 }));
    const { rules, limiter, problems, changes } = await following(file);
    const jobs = { kind: "concurrency", capacity: 1, ttl: "1m" } as const;
    const other = new RateLimiter<Limits>({ ...rules.limits, jobs });
    rules.keep(other);
    rename(file, rulesOf({ search: 9, jobs: 1 }));
    await changes.next();
    expect(await problems.next()).toContain("jobs");
    expect(rules.problem).toContain("jobs");
    expect(limiter.limit("search").capacity).toBe(9);
    expect(other.limit("search").capacity).toBe(5);
    const third = new RateLimiter<Limits>({ jobs });
    expect(() => rules.keep(third)).toThrow(expect.objectContaining({ code: "wrong-kind" }));
    rename(file, rulesOf({ search: 10, jobs: 1 }));
    await changes.next();
    rename(file, rulesOf({ search: 11 }));
    await changes.next();
    expect(rules.problem).toBe(undefined);
    expect(problems.size).toBe(0);
    expect(other.limit("search").capacity).toBe(11);
  });

  it("refuses another kind of a limit, until the limit was gone", async () => {
    const text = rulesOf({ search: 5 });
    const file = ruleFile(text);
    const { limiter, problems, changes } = await following(file);
    const log = text.replace("token bucket", "sliding log");
    rename(file, log);
    expect(await problems.next()).toContain(
      `${file}:3:5 changed-kind found the kind sliding log of "search", expected token bucket`,
    );
    rename(file, rulesOf({ login: 1 }));
    await changes.next();
    rename(file, log);
    await changes.next();
    expect(limiter.limits.search).toMatchObject({ kind: "sliding log" });
  });
});
