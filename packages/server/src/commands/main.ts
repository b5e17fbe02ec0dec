/** The command line. */
import { readFileSync } from "node:fs";
import { Command, type Option } from "commander";
import { CommandError } from "../process/command-error.ts";
import { allowClosedOutput, printableError, printError } from "../process/console/index.ts";
import { packageFile } from "../process/files/index.ts";
import {
  completeOptions,
  describeOption,
  type ProxyServeOptions,
  proxyOptions,
  readVariables,
  ruleOptions,
  runtimePaths,
  type ServeOptions,
  serveOptions,
} from "../process/options/index.ts";
import { RulesError, ruleFileSchema } from "../rules/index.ts";
import {
  ADMIN_COMMANDS,
  type AdminCommand,
  type AdminOptions,
  callOptions,
} from "./admin/index.ts";
import { runAdmin } from "./admin/run.ts";
import { check } from "./check.ts";
import { explain } from "./explain.ts";
import { explainOptions } from "./explain-options.ts";
import { init } from "./init.ts";
import { type MigrateOptions, migrateOptions } from "./migrate-options.ts";
import { proxy } from "./proxy.ts";
import { serve } from "./serve.ts";
import { tryLimit } from "./try/try.ts";
import { tryOptions } from "./try/try-options.ts";

/** Runs a command line. A user's mistake is printed in one line and sets the exit code to 1. */
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
    // Configured before subcommands are created, because they inherit it.
    .configureOutput({ outputError: (text, write) => write(printableError(text)) })
    .configureHelp({ optionDescription: describeOption })
    .hook("preAction", (_, command) => readVariables(command, process.env));
  addFirstSteps(spillway);
  addServe(spillway);
  addProxy(spillway);
  addReaders(spillway);
  for (const one of ADMIN_COMMANDS) addAdmin(spillway, one);
  command(spillway, { name: "migrate", options: migrateOptions() })
    .description("install or upgrade the schema of a store in Postgres")
    .action(migrateLoaded);
  return spillway;
}

type CommandDescription = { readonly name: string; readonly options?: readonly Option[] };

function command(spillway: Command, { name, options = [] }: CommandDescription): Command {
  const added = spillway.command(name);
  for (const option of options) added.addOption(option);
  return added;
}

function addFirstSteps(spillway: Command): void {
  command(spillway, { name: "try", options: tryOptions() })
    .description("simulate traffic against a rate, and show what passes")
    .argument("<rate>", 'such as "10/min" or "5 per second"')
    .action(tryLimit);
  command(spillway, { name: "init" })
    .description("write a first rule file")
    .argument("[file]", "the file; it must not exist yet", "rules.yaml")
    .action((file: string) => init(file));
}

function addServe(spillway: Command): void {
  command(spillway, { name: "serve", options: serveOptions() })
    .description("decide requests over HTTP and gRPC by rule files")
    .argument(
      "[paths...]",
      "rule files, or directories of them. Default: the value of RUNTIME_ROOT",
    )
    .action((paths: readonly string[], _: ServeOptions, command: Command) =>
      serve(pathsOf(paths, command), completeOptions(command, process.env)),
    );
}

function addProxy(spillway: Command): void {
  command(spillway, { name: "proxy", options: proxyOptions() })
    .description("limit requests by rule files, and forward them to a server")
    .argument(
      "[paths...]",
      "rule files, or directories of them. Default: the value of RUNTIME_ROOT",
    )
    .action((paths: readonly string[], _: ProxyServeOptions, command: Command) =>
      proxy(pathsOf(paths, command), {
        ...command.opts<ProxyServeOptions>(),
        ...completeOptions(command, process.env),
      }),
    );
}

/** Adds the commands that only read rule files. */
function addReaders(spillway: Command): void {
  command(spillway, { name: "check", options: ruleOptions() })
    .description("print the limits that rule files define, or all their mistakes")
    .argument("<paths...>", "rule files, or directories of them")
    .action(check);
  command(spillway, { name: "explain", options: explainOptions() })
    .description("show which rules match a request, why others don't, and what is left")
    .argument("<paths...>", "rule files, or directories of them")
    .action(explain);
  command(spillway, { name: "schema" })
    .description("print the JSON Schema of rule files, for editors")
    .action(() => console.log(JSON.stringify(ruleFileSchema(), undefined, 2)));
}

/** Adds a command that calls the administration of a running service. */
function addAdmin(spillway: Command, admin: AdminCommand): void {
  const { name, about, argument } = admin;
  const options = [...admin.options, ...callOptions()];
  const added = command(spillway, { name, options }).description(about);
  if (argument === undefined) {
    added.action((given: AdminOptions) => runAdmin(admin, given));
  } else {
    added
      .argument(...argument)
      .action((text: string | undefined, given: AdminOptions) => runAdmin(admin, given, text));
  }
}

/**
 * Returns the paths, or those of envoyproxy/ratelimit's environment. Without any, it ends with a
 * usage error.
 */
function pathsOf(paths: readonly string[], command: Command): readonly string[] {
  const found = paths.length > 0 ? paths : runtimePaths(process.env);
  return found.length > 0 ? found : command.error(NO_PATHS);
}

const NO_PATHS =
  "error: expected a rule file, a directory of them, or RUNTIME_ROOT; `spillway init` writes one";

function version(): string {
  const manifest = readFileSync(packageFile("package.json"), "utf8");
  return JSON.parse(manifest).version;
}

/**
 * Loading a driver takes as long as everything else, so only the command that needs it waits for
 * it.
 */
async function migrateLoaded(options: MigrateOptions): Promise<void> {
  const { migrate } = await import("./migrate.ts");
  return migrate(options);
}
