/**
 * `npm start`: sets up what serving needs, then runs the service on the example rules until it is stopped.
 *
 * The service takes its settings from the environment: `PORT=9080 npm start`. npm adds arguments to the
 * end of the line, which is the command below that is there for Windows. So commands have a script of
 * their own: `npm run spillway -- check rules.yaml`.
 *
 * npm starts it with `exec`, so that no shell stands between npm and this process: the usual
 * `sh` would die of a SIGTERM and leave the service behind. Where there is no `exec`, on Windows,
 * the command falls back to a plain start.
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { ROOT } from "./setup/places.mjs";
import { setUpServing } from "./setup/serving.mjs";

const BIN = "packages/server/bin/spillway.js";
const given = process.argv.slice(2);
const args = given.length > 0 ? given : ["serve", "examples/rules.yaml"];

const node = await setUpServing();
const service = spawn(node, [BIN, ...args], { cwd: ROOT, stdio: "inherit" });
let stopping = false;

// A terminal that is closed ends what was started in it; the service alone would go on.
process.on("SIGHUP", () => {
  if (!stopping) service.kill("SIGTERM");
  stopping = true;
});

// A terminal's Ctrl-C arrives here twice, from the terminal and from npm, and reaches the service
// from the terminal as well.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if (!stopping) service.kill(signal);
    stopping = true;
  });
}
service.on("exit", (code, signal) => {
  // Signalled a second time while it was already ending, it has still stopped as it was asked to.
  const asked = stopping && (signal === "SIGINT" || signal === "SIGTERM");
  process.exit(asked ? 0 : (code ?? 128 + constants.signals[signal]));
});
