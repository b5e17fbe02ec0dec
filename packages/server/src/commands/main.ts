/** The command line. */
import { Command } from "commander";
import { RulesError } from "../rules/index.ts";
import { check } from "./check.ts";
import { CommandError } from "./command-error.ts";
import { type MigrateOptions, migrateOptions } from "./migrate-options.ts";
import { serve } from "./serve.ts";
import { type ServeOptions, serveOptions } from "./serve-options.ts";

/** Runs a command line. Mistakes of the user's are told in a line and make the exit code 1. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(argv);
  } catch (error) {
    if (!(error instanceof RulesError || error instanceof CommandError)) throw error;
    console.error(error instanceof CommandError ? `${error.code} ${error.message}` : error.message);
    process.exitCode = 1;
  }
}

function program(): Command {
  const spillway = new Command("spillway").description("Rate limiting as a service");
  const serving = spillway
    .command("serve")
    .description("answer over HTTP by the rules of a file, or of all .yaml files of a directory")
    .argument("<path>", "a rule file, or a directory of them")
    .action((path: string, options: ServeOptions) => serve(path, options));
  for (const option of serveOptions()) serving.addOption(option);
  spillway
    .command("check")
    .description("tell what rule files mean, or everything that is wrong with them")
    .argument("<paths...>", "rule files, or directories of them")
    .action((paths: readonly string[]) => check(paths));
  const migrating = spillway
    .command("migrate")
    .description("install what a store in Postgres needs, or bring it up to date")
    .action(migrateLoaded);
  for (const option of migrateOptions()) migrating.addOption(option);
  return spillway;
}

/** Loading a driver takes as long as all the rest: only who needs it waits for it. */
async function migrateLoaded(options: MigrateOptions): Promise<void> {
  const { migrate } = await import("./migrate.ts");
  return migrate(options);
}
