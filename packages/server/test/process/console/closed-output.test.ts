/** Nobody may be there to read what a command prints. Real processes, real pipes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isReaderGone } from "../../../src/process/console/output.ts";
import { Command } from "../../support/command.ts";
import { startService } from "../../support/service-process.ts";
import { SHOP } from "../../support/shop.ts";

// Processes are slow to start on a busy machine.

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "spillway-closed-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(text: string): string {
  const path = join(directory, "rules.yaml");
  writeFileSync(path, text);
  return path;
}

/** More than a pipe holds. */
const MANY = `domain: d\ndescriptors:\n${Array.from(
  { length: 3000 },
  (_, n) => `- { key: k${n}, rate_limit: { unit: day, requests_per_unit: 5 } }\n`,
).join("")}`;

describe("a command whose output nobody reads", () => {
  it.each([
    ["check", 0, () => ["check", write(MANY)]],
    ["--help", 0, () => ["--help"]],
    ["--version", 0, () => ["--version"]],
    ["migrate --print", 0, () => ["migrate", "--print"]],
    ["check, of wrong rules", 1, () => ["check", write("domain: [")]],
  ] as const)("%s ends quietly, with %i", async (_name, code, args) => {
    const command = new Command(args());
    command.process.stdout.destroy();
    expect(await command.ended()).toBe(code);
    expect(command.stderr).not.toMatch(/EPIPE|^ +at /m);
  });

  it("ends with 1 where it can't say what is wrong", async () => {
    const command = new Command(["check", write("domain: [")]);
    command.process.stderr.destroy();
    expect(await command.ended()).toBe(1);
  });

  it("is read by others up to where they stop", async () => {
    const command = new Command(["check", write(MANY)]);
    await command.says(/3000 limits: all is well\n/);
    command.process.stdout.destroy();
    expect(await command.ended()).toBe(0);
    expect(command.stderr).toBe("");
  });
});

describe("a service whose console is closed", () => {
  it("serves, and ends cleanly", async () => {
    // Nobody listens there: that is told on the console.
    const args = ["--store", "redis://127.0.0.1:1", "--when-unavailable", "open"];
    await using service = await startService({ rules: SHOP, args });
    service.closeConsole();
    const entries = [{ key: "user", value: "ann" }];
    for (let round = 0; round < 10; round++) {
      const { status } = await service.post("/v1/limit", {
        domain: "shop",
        descriptors: [{ entries }],
      });
      expect(status).toBe(200);
    }
    expect(await service.stop()).toBe(0);
  });
});

it.each([
  ["EPIPE", false, true],
  ["EIO", true, true],
  // A disk that fails, or is full, is no reader that has gone.
  ["EIO", false, false],
  ["ENOSPC", false, false],
])("%s, on a terminal: %s, means that the reader is gone: %s", (code, isTTY, isGone) => {
  expect(isReaderGone(Object.assign(new Error(code), { code }), { isTTY })).toBe(isGone);
});
