import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { watchFiles } from "../../../src/process/files/watch-files.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

it("sees a change in a directory to which something else writes all the time", async () => {
  const directory = temporaryDirectory();
  const [rules, log] = [join(directory, "rules.yaml"), join(directory, "limits.db")];
  writeFileSync(rules, "domain: shop");
  const { promise: changed, resolve } = Promise.withResolvers<void>();
  const close = await watchFiles({ paths: [rules], changed: async () => resolve() });
  let written = 0;
  const writing = setInterval(() => writeFileSync(log, `${++written}`), 2);
  try {
    writeFileSync(rules, "domain: market");
    await changed;
  } finally {
    clearInterval(writing);
    close();
  }
  expect(written).toBeGreaterThan(0);
});
