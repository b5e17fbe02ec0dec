/** The library as it is once installed: a folder in which programs find it, with its modules joined. */
import { cp, mkdtempDisposable, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LIBRARY } from "../scripts/names.mjs";
import { join as joinModules } from "../scripts/pack/join.mjs";
import { ROOT } from "../scripts/setup/places.mjs";

/** Also has packages of the repository, such as peers. The folder goes with its scope. */
export async function installed(others: readonly string[] = []) {
  const folder = await mkdtempDisposable(join(tmpdir(), "spillway-bench-"));
  const modules = join(folder.path, "node_modules");
  const own = join(modules, LIBRARY);
  for (const part of ["package.json", "dist", "types", "entries"]) {
    await cp(join(ROOT, "packages/spillway", part), join(own, part), { recursive: true });
  }
  await joinModules(own);
  for (const name of others) await symlink(join(ROOT, "node_modules", name), join(modules, name));
  return folder;
}
