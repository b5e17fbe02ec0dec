import { afterAll, beforeAll, describe, test } from "vitest";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { conformance } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import { overEach } from "../over-each.ts";
import { clients, type Opened } from "./clients.ts";

/** The store's deadline: a case is to find what is wrong with answers, not with a busy machine. */
const PATIENT = 10_000;
/** Random runs over each client: others over each. */
const SEEDS = runs(6);

const each = Object.entries(clients);

for (const [index, [name, open]] of each.entries()) {
  describe(`the redis store conforms: ${name}`, () => {
    let opened: Opened;
    let store = 0;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened[Symbol.asyncDispose]());

    const cases = conformance(
      (clock) => redisStore(opened.client, { clock, prefix: `case-${store++}`, deadline: PATIENT }),
      { seeds: SEEDS, firstSeed: SEEDS * index },
    );
    const ownCases = overEach(cases, { part: index, parts: each.length });
    for (const { name, run } of ownCases) test(name, run);
  });
}
