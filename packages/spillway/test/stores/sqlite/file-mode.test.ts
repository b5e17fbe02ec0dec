/** Who may read a database's file: whoever made it decides, and the store changes nothing of it. */
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/limiter/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { eachDriver, tempFolder } from "./drivers.ts";

const LIMITS = { quota: { kind: "token bucket", rate: 5, period: "1h" } } as const;

describe.each(eachDriver)("over %s", (_, open) => {
  test.each([0o600, 0o640, 0o666])(
    "a file of mode %o keeps it, and gives it to its log",
    (mode) => {
      using folder = tempFolder();
      const path = folder.file("limits.db");
      closeSync(openSync(path, "a"));
      chmodSync(path, mode);
      using database = open(path);
      const limiter = new RateLimiter(LIMITS, { store: sqliteStore(database) });
      expect(limiter.limit("quota", { key: "ann" }).remaining).toBe(4);
      const modes = ["", "-wal", "-shm"].map((end) => statSync(path + end).mode & 0o777);
      expect(modes).toEqual([mode, mode, mode]);
    },
  );
});
