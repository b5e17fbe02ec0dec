/** The command line. */
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { RulesError } from "../rules/index.ts";
import { check } from "./check.ts";
import { CommandError } from "./command-error.ts";
import { type MigrateOptions, migrateOptions } from "./migrate-options.ts";
import { allowClosedOutput, printableError, printError } from "./output.ts";
import { serve } from "./serve.ts";
import { type ServeOptions, serveOptions } from "./serve-options.ts";

/** Runs a command line. Mistakes of the user's are printed in a line and make the exit code 1. */
export async function main(argv: readonly string[]): Promise<void> {
  allowClosedOutput();
  try {
    await program().parseAsync(argv);
  } catch (error) {
    if (!(error instanceof RulesError || error instanceof CommandError)) throw error;
    if (error instanceof CommandError) printError(`${error.code} ${error.message}`);
    else console.error(error.message);
    process.exitCode = 1;
  }
}

function program(): Command {
  const spillway = new Command("spillway")
    .description("Rate limiting as a service")
    .version(version())
    // Before there are subcommands: they take it over when they are made.
    .configureOutput({ outputError: (text, write) => write(printableError(text)) });
  const serving = spillway
    .command("serve")
    .description("answer over HTTP by the rules of files, and of all .yaml files of directories")
    .argument("<paths...>", "rule files, or directories of them")
    .action((paths: readonly string[], options: ServeOptions) => serve(paths, options));
  for (const option of serveOptions()) serving.addOption(option);
  spillway
    .command("check")
    .description("print what rule files mean, or everything that is wrong with them")
    .argument("<paths...>", "rule files, or directories of them")
    .action((paths: readonly string[]) => check(paths));
  const migrating = spillway
    .command("migrate")
    .description("install what a store in Postgres needs, or bring it up to date")
    .action(migrateLoaded);
  for (const option of migrateOptions()) migrating.addOption(option);
  return spillway;
}

function version(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return JSON.parse(manifest).version;
}

/** Loading a driver takes as long as all the rest: only who needs it waits for it. */
async function migrateLoaded(options: MigrateOptions): Promise<void> {
  const { migrate } = await import("./migrate.ts");
  return migrate(options);
}
