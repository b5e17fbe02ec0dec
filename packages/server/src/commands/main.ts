/** The command line. */
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { RulesError, ruleFileSchema } from "../rules/index.ts";
import { check } from "./check.ts";
import { CommandError } from "./command-error.ts";
import { explain } from "./explain.ts";
import { type ExplainOptions, explainOptions } from "./explain-options.ts";
import { init } from "./init.ts";
import { type MigrateOptions, migrateOptions } from "./migrate-options.ts";
import { describeOption, readVariables } from "./option.ts";
import { allowClosedOutput, printableError, printError } from "./output.ts";
import { type RuleOptions, ruleOptions } from "./rule-options.ts";
import { serve } from "./serve.ts";
import { completeOptions } from "./serve-environment.ts";
import { type ServeOptions, serveOptions } from "./serve-options.ts";
import { tryLimit } from "./try/try.ts";
import { tryOptions } from "./try/try-options.ts";
import { runtimePaths } from "./upstream-environment.ts";

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
    .configureOutput({ outputError: (text, write) => write(printableError(text)) })
    .configureHelp({ optionDescription: describeOption })
    .hook("preAction", (_, command) => readVariables(command, process.env));
  const trying = spillway
    .command("try")
    .description("play traffic against a rate, and show what passes")
    .argument("<rate>", 'such as "10/min" or "5 per second"')
    .action(tryLimit);
  for (const option of tryOptions()) trying.addOption(option);
  spillway
    .command("init")
    .description("write a rule file to begin with")
    .argument("[file]", "the file, which must not exist", "rules.yaml")
    .action((file: string) => init(file));
  const serving = spillway
    .command("serve")
    .description("answer over HTTP and gRPC by the rules of files, and of directories of them")
    .argument("[paths...]", "rule files, or directories of them. Default: what RUNTIME_ROOT says")
    .action((paths: readonly string[], _: ServeOptions, command: Command) =>
      serve(pathsOf(paths, command), completeOptions(command, process.env)),
    );
  for (const option of serveOptions()) serving.addOption(option);
  const checking = spillway
    .command("check")
    .description("print what rule files mean, or everything that is wrong with them")
    .argument("<paths...>", "rule files, or directories of them")
    .action((paths: readonly string[], options: RuleOptions) => check(paths, options));
  for (const option of ruleOptions()) checking.addOption(option);
  const explaining = spillway
    .command("explain")
    .description("say which rules a request meets, why not others, and what they have left")
    .argument("<paths...>", "rule files, or directories of them")
    .action((paths: readonly string[], options: ExplainOptions) => explain(paths, options));
  for (const option of explainOptions()) explaining.addOption(option);
  spillway
    .command("schema")
    .description("print the JSON Schema of rule files, for editors")
    .action(() => console.log(JSON.stringify(ruleFileSchema(), undefined, 2)));
  const migrating = spillway
    .command("migrate")
    .description("install what a store in Postgres needs, or bring it up to date")
    .action(migrateLoaded);
  for (const option of migrateOptions()) migrating.addOption(option);
  return spillway;
}

/** The paths, or those of envoyproxy/ratelimit's environment; a usage error where there are none. */
function pathsOf(paths: readonly string[], command: Command): readonly string[] {
  const found = paths.length > 0 ? paths : runtimePaths(process.env);
  return found.length > 0 ? found : command.error("error: missing required argument 'paths'");
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
