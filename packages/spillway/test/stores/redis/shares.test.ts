import { afterAll, beforeAll, describe, test } from "vitest";
import { redisStore } from "../../../src/stores/redis/index.ts";
import { shareConformance } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import { shortForm } from "../short-form.ts";
import { clients, type Opened } from "./clients.ts";

/** The store's deadline: a case is to find what is wrong with answers, not with a busy machine. */
const PATIENT = 10_000;
/** Random runs over each client: others over each. */
const SEEDS = runs(3);

for (const [index, [name, open]] of Object.entries(clients).entries()) {
  describe(`the redis store lends: ${name}`, () => {
    let opened: Opened;
    let store = 0;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened[Symbol.asyncDispose]());

    const cases = shareConformance(
      (clock) => redisStore(opened.client, { clock, prefix: `lent-${store++}`, deadline: PATIENT }),
      { seeds: SEEDS, firstSeed: SEEDS * index },
    );
    for (const { name, run } of shortForm(cases, { isFirst: index === 0 })) test(name, run);
  });
}
