/** Runs what the playground offers to copy, as somebody who pastes it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/setup/places.mjs";

type Pasted = { readonly name: string; readonly text: string };

/** What a command prints, given a pasted file. `command` receives the file's path. */
function printed({ name, text }: Pasted, command: (file: string) => readonly string[]): string {
  const scratch = join(ROOT, ".spillway");
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "pasted-"));
  try {
    const file = join(folder, name);
    writeFileSync(file, text);
    const { stdout, stderr } = spawnSync(process.execPath, command(file), { encoding: "utf8" });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a pasted program prints. */
export function programOutput(text: string): string {
  return printed({ name: "limit.mjs", text }, (file) => [file]).trim();
}

const SPILLWAY = join(ROOT, "packages", "server", "bin", "spillway.js");

/** What `spillway check` prints on a pasted rule file. */
export function checkOutput(text: string): string {
  return printed({ name: "rules.yaml", text }, (file) => [SPILLWAY, "check", file]);
}
