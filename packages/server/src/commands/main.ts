/** The command line. */
import { Command, InvalidArgumentError, Option } from "commander";
import { RulesError } from "../rules/index.ts";
import { check } from "./check.ts";
import { CommandError } from "./command-error.ts";
import { type ServeOptions, serve } from "./serve.ts";

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
  spillway
    .command("serve")
    .description("answer over HTTP by the rules of a file, or of all .yaml files of a directory")
    .argument("<path>", "a rule file, or a directory of them")
    .addOption(new Option("--host <host>", HOST).env("HOST").default("127.0.0.1").argParser(toHost))
    .addOption(new Option("--port <port>", PORT).env("PORT").default(8080).argParser(toPort))
    .action((path: string, options: ServeOptions) => serve(path, options));
  spillway
    .command("check")
    .description("tell what rule files mean, or everything that is wrong with them")
    .argument("<paths...>", "rule files, or directories of them")
    .action((paths: readonly string[]) => check(paths));
  return spillway;
}

const HOST = "the address to listen on; 0.0.0.0 for all";
const PORT = "the port to listen on; 0 for any that is free";

function toHost(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Expected an address such as 127.0.0.1.");
}

function toPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65535) return port;
  throw new InvalidArgumentError("Expected a whole number from 0 to 65535.");
}
