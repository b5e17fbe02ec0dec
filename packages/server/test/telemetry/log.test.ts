/** What is logged, and what is not. */
import { connect } from "node:net";
import { SECOND } from "spillway";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createService } from "../../src/index.ts";
import { consoleLog, RefusalLog, UnknownKeyLog } from "../../src/telemetry/index.ts";
import { rulesOf } from "../support/rules.ts";
import { startService } from "../support/service-process.ts";
import { SHOP } from "../support/shop.ts";

const ann = { domain: "shop", descriptors: [{ entries: [{ key: "user", value: "ann" }] }] };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("refusals", () => {
  /** A service that logs them, and its lines without the time. */
  function logged() {
    const lines: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => {
      lines.push(line.slice(25));
    });
    const log = consoleLog(undefined, "debug");
    const refusals = new RefusalLog({ log, perSecond: 3 });
    const service = createService({ rules: rulesOf(SHOP), onDecided: refusals.note });
    return { lines, log, service };
  }

  it("are so many a second, and then how many more there were", async () => {
    // No window of a minute ends in between.
    vi.useFakeTimers({ now: 0 });
    const { lines, service } = logged();
    for (let times = 0; times < 15; times++) await service.limit(ann);
    vi.advanceTimersByTime(SECOND);
    await service.limit(ann);
    const line = "shop/user refused: limited";
    expect(lines).toEqual([line, line, line, "7 more were refused in this second", line]);
  });

  it("name nobody until that is asked for, and are not there above debug", async () => {
    const { lines, log, service } = logged();
    for (let times = 0; times < 6; times++) await service.limit(ann);
    log.keys = true;
    await service.limit(ann);
    log.level = "info";
    await service.limit(ann);
    expect(lines).toEqual([
      "shop/user refused: limited",
      "shop/user refused for user=ann: limited",
    ]);
  });
});

describe("domains and keys that no rule has", () => {
  const RULES = `
domain: shop
descriptors:
  - key: user
    descriptors:
      - key: plan
        value: free
        rate_limit: { unit: minute, requests_per_unit: 5 }
`;
  function logged() {
    const lines: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line.slice(25)));
    const log = consoleLog(undefined, "debug");
    const unknown = new UnknownKeyLog(log);
    const service = createService({ rules: rulesOf(RULES), onDecided: unknown.note });
    const askIn = (domain: string, ...keys: string[]) => {
      const entries = keys.map((key) => ({ key, value: "ann" }));
      return service.limit({ domain, descriptors: [{ entries }, { entries }] });
    };
    return { lines, log, askIn, ask: (...keys: string[]) => askIn("shop", ...keys) };
  }

  it("are named once each, at the level debug alone, and no value with them", async () => {
    const { lines, log, ask } = logged();
    for (let times = 0; times < 3; times++) await ask("usr");
    await ask("user", "plna");
    // A value that has no rule, and a descriptor that ends before the rules do, are as they were meant.
    await ask("user", "plan");
    await ask("user");
    const named = ["shop: no rule has the key usr", "shop: no rule has the key user > plna"];
    expect(lines).toEqual(named);
    log.level = "info";
    await ask("other");
    log.level = "debug";
    await ask("usr");
    expect(lines).toEqual([...named, named[0]]);
  });

  it("are a hundred at most", async () => {
    const { lines, ask } = logged();
    for (let number = 0; number < 300; number++) await ask(`k${number}`);
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe("Further keys without a rule are not named");
  });

  it("are a hundred domains at most, cut and made safe to show, which leave room for keys", async () => {
    const { lines, log, askIn, ask } = logged();
    for (let times = 0; times < 3; times++) await askIn("shpo", "user");
    expect(lines).toEqual(["shpo: this domain has no rules"]);
    await askIn(`\u001b[31m\n${"x".repeat(10_000)}`, "user");
    expect(lines[1]).toMatch(/^[\x20-\x7e…]{1,200}$/);
    for (let number = 0; number < 300; number++) await askIn(`d${number}`, "user");
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe("Further domains without rules are not named");
    await ask("usr");
    expect(lines.at(-1)).toBe("shop: no rule has the key usr");
    log.level = "info";
    await askIn("another", "user");
    log.level = "debug";
    await askIn("another", "user");
    expect(lines.at(-1)).toBe("another: this domain has no rules");
  });
});

it("lines are JSON objects where that is asked for, and levels change while it runs", async () => {
  const TOKEN = "a-secret-token-for-logs";
  await using service = await startService({
    rules: SHOP,
    args: ["--log-format", "json"],
    env: { SPILLWAY_ADMIN_TOKEN: TOKEN },
  });
  const setLog = (body: object, token = TOKEN) =>
    fetch(`${service.url}/v1/log`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  expect((await setLog({ level: "debug" }, "another")).status).toBe(401);
  expect((await setLog({ level: "loud" })).status).toBe(400);
  expect(await (await setLog({ level: "debug", keys: true })).json()).toEqual({
    level: "debug",
    keys: true,
  });
  for (let times = 0; times < 6; times++) await service.post("/v1/limit", ann);
  const unknown = { entries: [{ key: "usr", value: "ann" }] };
  await service.post("/v1/limit", { ...ann, descriptors: [unknown] });
  await service.says(/"event":"unknown key"/);
  await service.post("/json", { ...ann, domain: "shpo" });
  await service.says(/"event":"unknown domain","domain":"shpo"/);
  await service.says(/"event":"refused"/);
  service.signal("SIGUSR2");
  await service.says(/"event":"log level"/);
  expect(await service.stop()).toBe(0);
  const lines = service.said
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const refused = lines.find(({ event }) => event === "refused");
  expect(refused).toMatchObject({
    level: "debug",
    name: "spillway",
    limit: "shop/user",
    reason: "limited",
    mode: "enforced",
    key: "user=ann",
    msg: "shop/user refused for user=ann: limited",
  });
  expect(Date.parse(refused.time)).not.toBeNaN();
  expect(service.said).not.toContain(TOKEN);
});

it("is live and ready, and while it stops no longer ready", async () => {
  await using service = await startService({ rules: SHOP, args: ["--metrics-port", "0"] });
  const [, page = ""] = /Metrics on (\S+)\/metrics/.exec(service.said) ?? [];
  const read = async (path: string) => {
    const response = await fetch(page + path);
    return [response.status, await response.json()];
  };
  expect(await read("/livez")).toEqual([200, { live: true }]);
  expect(await read("/readyz")).toEqual([200, { ready: true, notes: [] }]);
  // A request whose body never ends keeps it from ending at once.
  const held = connect(service.port, "127.0.0.1");
  held.write("POST /v1/limit HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n");
  await fetch(`${service.url}/livez`);
  service.signal("SIGTERM");
  await service.says(/finishing open requests/);
  const notes = ["stopping: finishing open requests"];
  expect(await read("/readyz")).toEqual([503, { ready: false, notes }]);
  expect(await read("/livez")).toEqual([200, { live: true }]);
  held.destroy();
  expect(await service.stop()).toBe(0);
});
