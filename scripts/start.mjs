/**
 * `npm start`: sets up, then runs the service on the example rules until it is told to stop.
 *
 * npm starts it with `exec`, so that no shell stands between npm and this process: the usual
 * `sh` would die of a SIGTERM and leave the service behind. Where there is no `exec`, on Windows,
 * the command falls back to a plain start.
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { NODE, ROOT } from "./places.mjs";
import { setup } from "./setup.mjs";

const SERVE = ["packages/server/bin/spillway.js", "serve", "examples/rules.yaml"];

await setup();
const service = spawn(NODE, SERVE, { cwd: ROOT, stdio: "inherit" });
service.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
// A terminal's Ctrl-C reaches the service by itself as well; to hear it twice does no harm.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => service.kill(signal));
