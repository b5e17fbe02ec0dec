/** How rules that are posted get into their file, among whatever others have put beside it. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeByRename } from "../../../src/process/files/write-file.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

function scene() {
  const directory = temporaryDirectory();
  const path = join(directory, "rules.yaml");
  const victim = join(temporaryDirectory(), "victim");
  writeFileSync(path, "before");
  writeFileSync(victim, "theirs");
  return { directory, path, victim };
}

describe("a rule file that is written", () => {
  it("follows no link at a name that others can guess", async () => {
    const { directory, path, victim } = scene();
    const guess = `${path}.${process.pid}.new`;
    symlinkSync(victim, guess);
    await writeByRename({ path, text: "after" });
    expect([readFileSync(path, "utf8"), readFileSync(victim, "utf8")]).toEqual(["after", "theirs"]);
    expect(lstatSync(path).isFile()).toBe(true);
    expect(readdirSync(directory)).toHaveLength(2);
  });

  it.each<[string, (at: string, victim: string) => void]>([
    ["a link", (at, victim) => symlinkSync(victim, at)],
    ["a link to nowhere", (at, victim) => symlinkSync(`${victim}.none`, at)],
    ["a file", (at) => writeFileSync(at, "theirs")],
    ["a directory", (at) => mkdirSync(at)],
    ["a pipe", (at) => execFileSync("mkfifo", [at])],
  ])("leaves %s alone that stands at its name all the same", async (_, put) => {
    const { directory, path, victim } = scene();
    const at = join(directory, ".spillway-known.new");
    put(at, victim);
    const before = lstatSync(at);
    const writing = writeByRename({ path, text: "after", id: "known" });
    await expect(writing).rejects.toThrow("EEXIST");
    expect([readFileSync(path, "utf8"), readFileSync(victim, "utf8")]).toEqual([
      "before",
      "theirs",
    ]);
    const { ino, mode, size } = lstatSync(at);
    expect({ ino, mode, size }).toEqual({ ino: before.ino, mode: before.mode, size: before.size });
    expect(readdirSync(victim.replace(/victim$/, ""))).toEqual(["victim"]);
  });

  it.each([0o600, 0o640, 0o666])("keeps the mode %o, whatever the umask is", async (mode) => {
    const { path } = scene();
    chmodSync(path, mode);
    await writeByRename({ path, text: "after" });
    expect(statSync(path).mode & 0o777).toBe(mode);
  });
});
