/** How long a program waits for an import. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { LIBRARY } from "../../scripts/names.mjs";
import { installed } from "../installed.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Part } from "./part.ts";

const run = promisify(execFile);
const PEER = "rate-limiter-flexible";
const MODULES = [
  LIBRARY,
  "spillway/small",
  "spillway/redis",
  "spillway/postgres",
  "spillway/sqlite",
  PEER,
] as const;
const ROUNDS = 9;

export const imports: Part = {
  name: "imports",
  async measure(progress) {
    await using folder = await installed([PEER]);
    const title = "ms of an import";
    const contestants = MODULES.map((name) => contestant(name, folder.path));
    const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
    return [groupOf(title, measured, { figure: "ms", unit: "ms" })];
  },
};

/** In a process of its own, which has loaded nothing else. */
function contestant(name: string, cwd: string): Contestant<{ readonly ms: number }> {
  const program = `const start = performance.now();
    await import(${JSON.stringify(name)});
    console.log(performance.now() - start);`;
  const args = ["--input-type=module", "--eval", program];
  return {
    name: `import ${name}`,
    async measure() {
      const { stdout } = await run(process.execPath, args, { cwd });
      return { ms: Number(stdout) };
    },
  };
}
