/** `npm run bench -- SUITE [--only WORDS] [--json FILE]`: runs a suite and shows the results. */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { json, machine, table } from "./report.ts";
import { MissingProgram } from "./rls/h2load.ts";
import { Selection, SelectionError } from "./selection.ts";
import type { Order, Outcome, SelectiveSuite, Suite } from "./suites/suite.ts";

/** What can be run; loaded only when it is. */
const SUITES: Readonly<Record<string, { about: string; run: SelectiveSuite }>> = {
  memory: {
    about: "decisions a second in memory, at 10 000 and at 1 000 000 keys",
    run: async (order) => (await import("./suites/memory.ts")).memory(order),
  },
  redis: {
    about: "decisions a second on a Redis server, what each costs it, and how soon one is there",
    run: whole(async () => (await import("./suites/redis.ts")).redis),
  },
  shares: {
    about: "what processes decide in memory of units that a Redis server lends them",
    run: async (order) => (await import("./suites/shares.ts")).shares(order),
  },
  postgres: {
    about: "decisions a second on a Postgres server, in transactions, and on one hot key",
    run: whole(async () => (await import("./suites/postgres.ts")).postgres),
  },
  sqlite: {
    about: "decisions a second in a SQLite file, one transaction each",
    run: whole(async () => (await import("./suites/sqlite.ts")).sqlite),
  },
  service: {
    about: "requests a second to the service on each store, and how soon they are answered",
    run: whole(async () => (await import("./suites/service.ts")).service),
  },
  rls: {
    about: "Envoy's rate limit service over gRPC and HTTP, beside what it stands on; needs h2load",
    run: async (order) => (await import("./suites/rls.ts")).rls(order),
  },
  classify: {
    about: "how long rules take to find the descriptors of hard requests of 16 KB",
    run: whole(async () => (await import("./suites/classify.ts")).classifying),
  },
  start: {
    about: "from the command spillway serve to the first decision",
    run: whole(async () => (await import("./suites/start.ts")).start),
  },
  "memory-of-service": {
    about: "resident memory of the service at rest, under gRPC load, and after it; needs h2load",
    run: whole(async () => (await import("./suites/memory-of-service.ts")).memoryOfService),
  },
  http: {
    about: "what limits cost behind Fastify, Express, Hono and node:http, beside the usual ones",
    run: async (order) => (await import("./suites/http.ts")).http(order),
  },
  proxy: {
    about: "requests a second through spillway proxy, beside @fastify/reply-from and a bare proxy",
    run: whole(async () => (await import("./suites/proxy.ts")).proxy),
  },
  asking: {
    about: "how much later requests are answered where nginx asks the service; needs h2load",
    run: whole(async () => (await import("./suites/asking.ts")).asking),
  },
  "memory-of-proxy": {
    about: "resident memory of the proxy with 10 000 idle connections, by HTTP, HTTPS and HTTP/2",
    run: whole(async () => (await import("./suites/memory-of-proxy.ts")).memoryOfProxy),
  },
  shedding: {
    about: "what an HTTP server still serves under loads that it can't serve, and of whom",
    run: async (order) => (await import("./suites/shedding.ts")).shedding(order),
  },
  client: {
    about: "how clients keep to the limits of others, and fare with slow, noisy and broken servers",
    run: async (order) => (await import("./suites/client.ts")).client(order),
  },
  sockets: {
    about: "what a connection costs a server that limits them, beside a bare one",
    run: whole(async () => (await import("./suites/sockets.ts")).sockets),
  },
  scale: {
    about: "how cost grows with the work of one call",
    run: async (order) => (await import("./suites/scale.ts")).scale(order),
  },
  playground: {
    about: "frames of the site's playground while a slider moves; needs Chromium",
    run: whole(async () => (await import("./suites/playground.ts")).playground),
  },
  install: {
    about: "from a fresh clone to the first answer of npm start: seconds, packages, bytes",
    run: whole(async () => (await import("./suites/install.ts")).install),
  },
  footprint: {
    about: "bytes a key at 1 000 000 keys, and bytes of the gzipped import",
    run: whole(async () => (await import("./suites/footprint.ts")).footprint),
  },
};

/** A suite that can't be run in part. */
function whole(load: () => Promise<Suite>): SelectiveSuite {
  return async ({ progress, only }: Order): Promise<Outcome> => {
    if (!only.isAll) throw new SelectionError("this suite has no parts: leave out --only");
    const suite = await load();
    return { groups: await suite(progress) };
  };
}

const USAGE = [
  "usage: npm run bench -- SUITE [--only WORDS]... [--json FILE]",
  ...Object.entries(SUITES).map(([name, { about }]) => `  ${name.padEnd(18)} ${about}`),
  '--only runs the rows whose names have all these words: shedding --only "cold 5x closing".',
  'client has rows by client, --only ky, and by situation, --only "one bad route", --only hanging.',
  "Given again, it adds more. Words that fit nothing show all names.",
].join("\n");

/** What the command line asks for. */
type Arguments = {
  /** None: the usage is shown. */
  readonly suite: string | undefined;
  readonly only: Selection;
  /** Where the rows are written. */
  readonly file: string | undefined;
};

const OPTIONS = { json: { type: "string" }, only: { type: "string", multiple: true } } as const;

/** @throws Error that says what is wrong with the command line. */
function readArguments(args: string[]): Arguments {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [suite, ...more] = positionals;
  if (more.length > 0) throw new Error(`one suite at a time: ${positionals.join(", ")}`);
  if (suite !== undefined && !Object.hasOwn(SUITES, suite)) {
    throw new Error(`there is no suite ${JSON.stringify(suite)}`);
  }
  const [option] = Object.keys(values);
  if (suite === undefined && option !== undefined) throw new Error(`--${option} needs a suite`);
  return { suite, only: new Selection(values.only), file: values.json };
}

/** The same, or the end of the program where the command line is wrong. */
function argumentsOrExit(): Arguments {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    return exit(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function exit(message: string): never {
  console.error(message);
  process.exit(2);
}

async function run(name: string, { only, file }: Omit<Arguments, "suite">): Promise<void> {
  const order = { only, progress: (line: string) => console.error(line) };
  const outcome = await SUITES[name]?.run(order);
  if (outcome === undefined) return;
  const { groups, text = groups.map((group) => `${table(group)}\n`).join("\n") } = outcome;
  console.log(`\n${name}, on ${machine()}\n\n${text}`);
  if (file !== undefined) await writeFile(file, json(name, groups));
}

const { suite, ...rest } = argumentsOrExit();
if (suite === undefined) console.log(USAGE);
else {
  await run(suite, rest).catch((error) => {
    if (!(error instanceof SelectionError || error instanceof MissingProgram)) throw error;
    exit(error.message);
  });
}
