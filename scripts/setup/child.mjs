import { spawn } from "node:child_process";
import { constants } from "node:os";
import { ON_WINDOWS, ROOT } from "./places.mjs";

/**
 * Runs a program to its end, at the repository's root, and hides its output.
 *
 * If it fails, all that it said is shown, and this process ends with its exit code.
 */
export async function runQuietly({ name, command, args }) {
  const { code, said } = await runHidden({ command, args, cwd: ROOT });
  if (code !== 0) await fail({ code, text: `✗ ${name}\n${said}` });
}

/**
 * Runs a program to its end; resolves to its exit code, and to all that it said.
 *
 * Without `args` the command goes through a shell: npm is a script that Windows can't start otherwise.
 * Where it can, the command takes the shell's place, so that a signal to the child reaches it.
 */
export async function runHidden({ command, args, cwd }) {
  const line = args === undefined && !ON_WINDOWS ? `exec ${command}` : command;
  const child = spawn(line, args ?? [], {
    cwd,
    shell: args === undefined,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => said.push(part));
  const free = endWith(child);
  const code = await ended(child);
  free();
  return { code, said: Buffer.concat(said).toString("utf8") };
}

/** Ends a child first where this process is ended: an npm that goes on would be in the way of the next one. */
function endWith(child) {
  const listeners = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => {
    const end = () => {
      child.once("close", () => process.exit(128 + constants.signals[signal]));
      child.kill(signal);
    };
    process.once(signal, end);
    return () => process.off(signal, end);
  });
  return () => {
    for (const free of listeners) free();
  };
}

/** Ends this process when a text is written: exiting at once could cut it short. */
export async function fail({ code, text }) {
  await new Promise((written) => process.stdout.write(text, written));
  process.exit(code);
}

/** Runs a program to its end at the repository's root, in full view; resolves to its exit code. */
export function runOpenly({ command, args }) {
  return ended(spawn(command, args, { cwd: ROOT, stdio: "inherit" }));
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
