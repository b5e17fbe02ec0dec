import { spawn } from "node:child_process";
import { ROOT } from "./places.mjs";

/**
 * Runs a program to its end at the repository's root, and hides its output.
 *
 * If it fails, all that it said is shown and this process ends with its exit code. Without `args`
 * the command goes through a shell: npm is a script that Windows can't start otherwise.
 */
export async function runQuietly({ name, command, args }) {
  const child = spawn(command, args ?? [], {
    cwd: ROOT,
    shell: args === undefined,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => said.push(part));
  const code = await ended(child);
  if (code === 0) return;
  console.log(`✗ ${name}`);
  // Where writing is not immediate, exiting would cut the output short.
  await new Promise((written) => process.stdout.write(Buffer.concat(said), written));
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
