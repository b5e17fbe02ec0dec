/** `npm run bench -- SUITE [--json FILE]`: reads the arguments, runs a suite, shows what came out. */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { json, machine, table } from "./report.ts";
import type { Suite } from "./suites/suite.ts";

/** What can be run; loaded only when it is. */
const SUITES: Readonly<Record<string, { about: string; load(): Promise<Suite> }>> = {
  memory: {
    about: "decisions a second in memory, at 10 000 and at 1 000 000 keys",
    load: async () => (await import("./suites/memory.ts")).memory,
  },
  redis: {
    about: "decisions a second on a Redis server, what each costs it, and how soon one is there",
    load: async () => (await import("./suites/redis.ts")).redis,
  },
  postgres: {
    about: "decisions a second on a Postgres server, in transactions, and on one hot key",
    load: async () => (await import("./suites/postgres.ts")).postgres,
  },
  sqlite: {
    about: "decisions a second in a SQLite file, one transaction each",
    load: async () => (await import("./suites/sqlite.ts")).sqlite,
  },
  shedding: {
    about: "what an HTTP server still serves at 0.7, 2 and 5 times what it can do",
    load: async () => (await import("./suites/shedding.ts")).shedding,
  },
  footprint: {
    about: "bytes a key at 1 000 000 keys, and bytes of the gzipped import",
    load: async () => (await import("./suites/footprint.ts")).footprint,
  },
};

const USAGE = [
  "usage: npm run bench -- SUITE [--json FILE]",
  ...Object.entries(SUITES).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`),
].join("\n");

/** What the command line asks for: a suite, and a file for its rows; or no suite. */
type Arguments = { readonly suite: string | undefined; readonly file: string | undefined };

/** @throws Error that says what is wrong with the command line. */
function readArguments(args: string[]): Arguments {
  const options = { json: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [suite, ...more] = positionals;
  if (more.length > 0) throw new Error(`one suite at a time: ${positionals.join(", ")}`);
  if (suite !== undefined && !Object.hasOwn(SUITES, suite)) {
    throw new Error(`there is no suite ${JSON.stringify(suite)}`);
  }
  if (suite === undefined && values.json !== undefined) throw new Error("--json needs a suite");
  return { suite, file: values.json };
}

/** The same, or the end of the program where the command line is wrong. */
function argumentsOrExit(): Arguments {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

async function run(name: string, file: string | undefined): Promise<void> {
  const suite = await SUITES[name]?.load();
  if (suite === undefined) return;
  const groups = await suite((line) => console.error(line));
  console.log(`\n${name}, on ${machine()}\n`);
  for (const group of groups) console.log(`${table(group)}\n`);
  if (file !== undefined) await writeFile(file, json(name, groups));
}

const { suite, file } = argumentsOrExit();
if (suite === undefined) console.log(USAGE);
else await run(suite, file);
