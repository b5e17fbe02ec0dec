/** A package is reached by its name, and a package imports only what it declares. */
import type { Check, Finding } from "./finding.ts";
import { resolve } from "./resolve.ts";
import { type Import, modulesIn } from "./syntax.ts";
import type { Tree } from "./tree.ts";

const READS_OR_WRITES =
  /^node:(?:child_process|cluster|dgram|dns|fs|https?|http2|net|process|readline|sqlite|tls|worker_threads)\b/;

/** Real servers and browsers for tests and benchmarks, and how much these do, whatever they test. */
const SERVERS = /^packages\/[^/]+\/test\/(?:servers\/|(?:chromium|runs)\.ts$)/;

/** The middleware's behaviour table, which the service's transports pass too, and the stores of its rows. */
const BEHAVIOUR =
  /^packages\/spillway\/test\/(?:http\/middleware\/(?:behaviour|host|row|rows\/index)|limiter\/later)\.ts$/;
const TRANSPORT_TESTS = "packages/server/test/transports/";

/** Numbers that `npm run embed` writes into files of the package, before there is anything built. */
const EMBEDDED = "packages/spillway/src/stores/port/protocol.ts";

/** How people write rates and traffic: the playground of the site and `spillway try` read the same texts. */
const TEXTS_OF_TRY = "packages/server/src/commands/try/";

export const boundaries: Check = (tree) =>
  modulesIn(tree).flatMap(([file, { imports }]) =>
    imports.flatMap((each) => [
      ...trespass(file, each),
      ...undeclared({ tree, file, found: each }),
      ...ioInRules(file, each),
    ]),
  );

function packageOf(path: string): string | undefined {
  return /^packages\/[^/]+/.exec(path)?.[0];
}

function trespass(file: string, found: Import): Finding[] {
  const path = resolve(file, found);
  if (path !== undefined && SERVERS.test(path) && !/\/src\//.test(file)) return [];
  if (path?.startsWith(TEXTS_OF_TRY) && file.startsWith("site/")) return [];
  if (path !== undefined && BEHAVIOUR.test(path) && file.startsWith(TRANSPORT_TESTS)) return [];
  if (path === EMBEDDED && file === "scripts/embed.ts") return [];
  const owner = path === undefined ? undefined : packageOf(path);
  if (owner === undefined || owner === packageOf(file)) return [];
  const expected = `the package ${owner} by its name`;
  return [{ file, line: found.line, found: `an import of ${found.from}`, expected }];
}

type Place = { readonly tree: Tree; readonly file: string; readonly found: Import };

/** npm hoists, so an import that no manifest declares works here, and fails at whoever installs. */
function undeclared({ tree, file, found: { from, line } }: Place): Finding[] {
  const home = packageOf(file);
  if (home === undefined || !file.startsWith(`${home}/src/`) || from.startsWith(".")) return [];
  const isBuiltIn = from.startsWith("node:");
  const name = from.split("/", from.startsWith("@") ? 2 : 1).join("/");
  const declared = Object.keys(dependencies(tree, home));
  if (isBuiltIn ? home !== "packages/spillway" : declared.includes(name)) return [];
  const expected = isBuiltIn
    ? "code that runs in browsers and edge workers too"
    : `only dependencies of ${home}/package.json: ${declared.join(", ") || "none"}`;
  return [{ file, line, found: `an import of ${from}`, expected }];
}

function dependencies(tree: Tree, home: string): object {
  const manifest = JSON.parse(tree.get(`${home}/package.json`) ?? "{}");
  return { ...manifest.dependencies, ...manifest.peerDependencies };
}

function ioInRules(file: string, { from, line }: Import): Finding[] {
  if (!file.startsWith("packages/server/src/rules/") || !READS_OR_WRITES.test(from)) return [];
  return [
    { file, line, found: `an import of ${from}`, expected: "rules to read and write nothing" },
  ];
}
