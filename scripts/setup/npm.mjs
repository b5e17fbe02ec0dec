import { join } from "node:path";
import { fail, runHidden } from "./child.mjs";
import { present } from "./lockfile.mjs";

/** Milliseconds between two looks at how far an install is. */
const LOOK = 250;

/** npm's own are 10 and 60 s: a machine without a network would say so after a minute and more. */
const PATIENCE = "--fetch-retry-mintimeout 1000 --fetch-retry-maxtimeout 5000";
const QUIET = "--no-audit --no-fund --loglevel error";

/**
 * Installs with npm, in one line: what, how far it is, and how long it took.
 *
 * @param {object} options
 * @param {string} options.what What is installed and how large it is, for the line.
 * @param {string} options.command What npm is to do, as in "ci --omit=dev".
 * @param {string} options.folder Where.
 * @param {readonly string[]} [options.paths] The packages whose number shows how far it is.
 */
export async function npm({ what, command, folder, paths = [] }) {
  const start = performance.now();
  process.stdout.write(`Installing ${what}:`);
  const looking = showProgress(folder, paths);
  const whole = `npm ${command} ${QUIET} ${PATIENCE}`;
  const { code, said } = await runHidden({ command: whole, cwd: folder });
  clearInterval(looking);
  if (code !== 0) await fail({ code, text: `\n✗ npm ${command}\n${said}\n${advice(said)}\n` });
  console.log(` done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** Adds to the line, and takes nothing back: that reads the same in a terminal and in a log. */
function showProgress(folder, paths) {
  let shown = 0;
  const look = () => {
    const percent = Math.floor((present(folder, paths) / paths.length) * 4) * 25;
    if (percent <= shown || percent === 100) return;
    process.stdout.write(` ${percent} %`);
    shown = percent;
  };
  // What an earlier install has left is still there at first.
  return paths.length === 0 ? undefined : setInterval(look, LOOK);
}

const REASONS = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT/,
    "npm can't reach its registry: check the network, and `npm config get registry proxy https-proxy`",
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY)/,
    "npm does not trust its registry's certificate: name yours in NODE_EXTRA_CA_CERTS",
  ],
  [/ENOSPC/, "the disk is full"],
  [
    /ENOTEMPTY|EBUSY/,
    "another npm is at work in this folder, or has been: wait until it has ended",
  ],
  [/EACCES|EPERM|EROFS/, "npm may not write here: make the clone, and npm's cache, your own"],
  [
    /npm: (?:command )?not found|not recognized as an internal/,
    "there is no npm: install Node with npm, from https://nodejs.org",
  ],
];

/** What to do about a failed npm, from what it said. */
export function advice(said) {
  const [, reason] = REASONS.find(([pattern]) => pattern.test(said)) ?? [];
  return `${reason ?? "npm could not install it: see above"}; then run \`${again()}\` again.`;
}

/** The command that the user typed. */
export function again({ npm_lifecycle_event: script } = process.env) {
  if (script === undefined) return `node ${join("scripts", "start.mjs")}`;
  return script === "start" || script === "test" ? `npm ${script}` : `npm run ${script}`;
}
