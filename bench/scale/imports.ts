/** How long a program waits for an import. */
import { execFile } from "node:child_process";
import { cp, mkdtempDisposable, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { join as joinModules } from "../../scripts/pack/join.mjs";
import { ROOT } from "../../scripts/setup/places.mjs";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Part } from "./part.ts";

const run = promisify(execFile);
const PEER = "rate-limiter-flexible";
const MODULES = [
  "spillway",
  "spillway/redis",
  "spillway/postgres",
  "spillway/sqlite",
  PEER,
] as const;
const ROUNDS = 9;

export const imports: Part = {
  name: "imports",
  async measure(progress) {
    await using folder = await installed();
    const title = "ms of an import";
    const contestants = MODULES.map((name) => contestant(name, folder.path));
    const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
    return [groupOf(title, measured, { figure: "ms", unit: "ms" })];
  },
};

/** A folder in which the packages are as they are once installed: this one's modules are joined. */
async function installed() {
  const folder = await mkdtempDisposable(join(tmpdir(), "spillway-bench-"));
  const modules = join(folder.path, "node_modules");
  const own = join(modules, "spillway");
  for (const part of ["package.json", "dist"]) {
    await cp(join(ROOT, "packages/spillway", part), join(own, part), { recursive: true });
  }
  await joinModules(own);
  await symlink(join(ROOT, "node_modules", PEER), join(modules, PEER));
  return folder;
}

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
