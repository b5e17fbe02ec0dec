/** Makes a fresh clone ready to serve: a tenth of what tests need. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SERVER as PACKAGE } from "../names.mjs";
import { runQuietly } from "./child.mjs";
import { holds, lockedIn, neededBy, recordedIn } from "./lockfile.mjs";
import { npm } from "./npm.mjs";
import { NODE, nodeIn, ROOT } from "./places.mjs";
import { setup } from "./setup.mjs";

const SERVER = "packages/server";

/** What their files hold, in MB: a test weighs the first. */
const SERVING_MB = 30;
const TELEMETRY_MB = 97;
const NODE_MB = 190;

/** Since it takes types out of sources, and has SQLite, without a flag. */
const OLDEST_NODE = [22, 18];

/** Where a Node is that is only there because the machine's is too old. */
const OWN_NODE = join(ROOT, ".spillway", "node");

/**
 * Installs what serving needs, and builds it, or sets all up where tools are there that have to stay.
 *
 * @returns {Promise<string>} The Node to serve with.
 */
export async function setUpServing(env = process.env) {
  if (recordedIn(ROOT)["node_modules/typescript"] !== undefined) {
    await setup();
    return NODE;
  }
  await installPackages({ withTelemetry: sendsTelemetry(env) });
  const node = isNewEnough(process.versions.node) ? process.execPath : await ownNode();
  await build(node);
  return node;
}

/** Whether the service is to send to OpenTelemetry's collector: its packages are not installed otherwise. */
export function sendsTelemetry(env) {
  return Object.keys(env).some(
    (name) => /^OTEL_EXPORTER_OTLP_(?:\w+_)?ENDPOINT$/.test(name) && env[name] !== "",
  );
}

export function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

async function installPackages({ withTelemetry }) {
  const locked = lockedIn(ROOT);
  const paths = neededBy(locked, { workspace: SERVER, dev: withTelemetry });
  if (holds(ROOT, paths)) return;
  const { length: count } = paths.filter((path) => !locked[path].link);
  const size = withTelemetry ? TELEMETRY_MB : SERVING_MB;
  const omitted = withTelemetry ? "--include=dev" : "--omit=dev";
  await npm({
    what: `what serving needs, ${count} packages, ${size} MB`,
    command: `ci ${omitted} --omit=optional --ignore-scripts --workspace ${PACKAGE}`,
    folder: ROOT,
    paths,
  });
}

/** Node as tests have it, installed the first time. */
async function ownNode() {
  const { version } = lockedIn(ROOT)["node_modules/node"];
  const path = nodeIn(OWN_NODE);
  if (existsSync(path) && installedVersion() === version) return path;
  mkdirSync(OWN_NODE, { recursive: true });
  const manifest = { private: true, dependencies: { node: version }, allowScripts: { node: true } };
  writeFileSync(join(OWN_NODE, "package.json"), JSON.stringify(manifest));
  await npm({
    what: `Node ${version}, ${NODE_MB} MB, because this machine's is ${process.versions.node}`,
    command: "install --no-package-lock",
    folder: OWN_NODE,
  });
  if (existsSync(path)) return path;
  console.error(`npm left out Node: install Node ${OLDEST_NODE.join(".")} or newer yourself.`);
  process.exit(1);
}

function installedVersion() {
  const manifest = join(OWN_NODE, "node_modules", "node", "package.json");
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

async function build(node) {
  const start = performance.now();
  const args = ["--disable-warning=ExperimentalWarning", "scripts/setup/strip.mjs"];
  await runQuietly({ name: "build", command: node, args });
  console.log(`Built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
