/** How long the write-ahead log gets, and how long it stays. */
import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { eachDriver, tempFolder } from "./drivers.ts";

const LIMITS = { quota: { kind: "token bucket", rate: 1_000_000, period: "1h" } } as const;
const MB = 2 ** 20;
/** What the page promises. */
const MOST = 16 * MB;

test.each(eachDriver)("over %s, it shrinks once nobody reads at an old instant", (_, open) => {
  using folder = tempFolder();
  const path = folder.file("limits.db");
  using database = open(path);
  using reader = open(path);
  const limiter = new RateLimiter(LIMITS, { store: sqliteStore(database) });
  const bytes = () => statSync(`${path}-wal`).size;
  // Each takes a page of the log, and sweeping some more.
  const take = (times: number) => {
    for (let user = 0; user < times; user++) limiter.limit("quota", { key: `user ${user}` });
  };
  take(1);
  reader.exec("begin; select count(*) from spillway");
  take(6000);
  expect(bytes()).toBeGreaterThan(MOST + 4 * MB);
  reader.exec("commit");
  take(3000);
  expect(bytes()).toBeLessThanOrEqual(MOST);
});
