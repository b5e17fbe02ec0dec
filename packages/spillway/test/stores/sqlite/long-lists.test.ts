/** Lists of thousands of entries are answered as a memory store does. */
import { test } from "vitest";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { manualClock } from "../../../src/testing/index.ts";
import { compareLongLists } from "../long-lists.ts";
import { eachDriver } from "./drivers.ts";

test.each(eachDriver)(
  "over %s",
  async (_, open) => {
    const clock = manualClock();
    using database = open(":memory:");
    await compareLongLists({
      store: sqliteStore(database, { clock }),
      clock,
      seed: 1,
      entries: 1000,
    });
  },
  240_000,
);
