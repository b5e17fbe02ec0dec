import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect } from "vitest";
import { Command } from "./command.ts";
import { SHOP } from "./shop.ts";

export const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/${name}.yaml`, import.meta.url));

export let directory: string;
export let rules: string;
const running: Command[] = [];

/** Gives each test of a file a directory with rules, and ends what it has run. */
export function inDirectory(): void {
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "spillway-"));
    rules = write("shop.yaml", SHOP);
  });

  afterEach(async () => {
    for (const command of running.splice(0)) {
      command.process.kill("SIGKILL");
      await command.ended();
    }
    rmSync(directory, { recursive: true });
  });
}

export function write(name: string, content: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

export function run(args: readonly string[], env?: Readonly<Record<string, string>>): Command {
  const command = new Command(args, env);
  running.push(command);
  return command;
}

/** What a run that must fail says: one line or more, and never a stack trace. */
export async function complaint(args: readonly string[], env?: Readonly<Record<string, string>>) {
  const command = run(args, env);
  expect(await command.ended()).toBe(1);
  expect(command.stderr).not.toMatch(/^ +at /m);
  expect(command.stdout).toBe("");
  return command.stderr.trimEnd();
}

/** Starts the service on a free port. */
export async function start(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const command = run(["serve", rules, ...args], { PORT: "0", ...env });
  const [, url = ""] = await command.says(/Listening on (\S+)\. /);
  await command.says(/ Admin calls .*$/m);
  return { command, url };
}
