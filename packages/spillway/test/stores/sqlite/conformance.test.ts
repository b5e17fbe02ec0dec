import { describe, test } from "vitest";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import {
  type ConformanceCase,
  conformance,
  type OpenStore,
  shareConformance,
} from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import { overEach } from "../over-each.ts";
import { shortForm } from "../short-form.ts";
import { eachDriver, tempFolder } from "./drivers.ts";

/** Random runs in each place: others in each. */
const SEEDS = runs(10);
const LENT_SEEDS = runs(2);

const places = {
  "in a file": () => {
    const folder = tempFolder();
    return { path: folder.file("limits.db"), folder };
  },
  "in memory": () => ({ path: ":memory:", folder: undefined }),
};

function run(cases: readonly ConformanceCase[]): void {
  for (const { name, run } of cases) test(name, run);
}

for (const [index, [driver, open]] of eachDriver.entries()) {
  for (const [at, [place, make]] of Object.entries(places).entries()) {
    describe(`${driver}, ${place}`, () => {
      const openStore: OpenStore = (clock) => {
        const { path, folder } = make();
        const database = open(path);
        const close = async () => {
          database[Symbol.dispose]();
          folder?.[Symbol.dispose]();
        };
        return Object.assign(sqliteStore(database, { clock }), { [Symbol.asyncDispose]: close });
      };
      const nth = 2 * index + at;
      const cases = conformance(openStore, { seeds: SEEDS, firstSeed: SEEDS * nth });
      run(overEach(cases, { part: nth, parts: 2 * eachDriver.length }));
      const lent = { seeds: LENT_SEEDS, firstSeed: LENT_SEEDS * nth };
      const isFirst = index === 0 && place === "in memory";
      run(shortForm(shareConformance(openStore, lent), { isFirst }));
    });
  }
}
