/** The service as it is once installed: its modules, and the library's, are joined. */
import { cp, mkdir, mkdtempDisposable, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LIBRARY, SERVER } from "../../scripts/names.mjs";
import { join as joinModules } from "../../scripts/pack/join.mjs";
import { ROOT } from "../../scripts/setup/places.mjs";

/** What is loaded by its path, as in the package's own `prepack`. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  [LIBRARY]: [],
  [SERVER]: ["commands/main.js", "process/reload/parse-worker.js"],
};

const FOLDERS: Readonly<Record<string, string>> = { [LIBRARY]: "spillway", [SERVER]: "server" };

/** Removed with its scope. */
export type Installed = AsyncDisposable & { readonly bin: string };

/** Copies the packages into a folder of their own, whose other packages are the clone's. */
export async function installed(): Promise<Installed> {
  const folder = await mkdtempDisposable(join(tmpdir(), "spillway-bench-"));
  const modules = join(folder.path, "node_modules");
  await copyPackage(LIBRARY, modules);
  const server = await copyPackage(SERVER, modules);
  for (const name of await dependenciesOf(server)) await link(name, modules);
  return {
    bin: join(server, "bin/spillway.js"),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function copyPackage(name: string, modules: string): Promise<string> {
  const own = join(modules, name);
  const from = join(ROOT, "packages", FOLDERS[name] ?? "");
  await cp(from, own, { recursive: true, filter: (path) => !/node_modules|[/]test$/.test(path) });
  await joinModules(own, ENTRIES[name]);
  return own;
}

async function dependenciesOf(folder: string): Promise<readonly string[]> {
  const { dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return Object.keys(dependencies).filter((name) => !Object.hasOwn(ENTRIES, name));
}

async function link(name: string, modules: string): Promise<void> {
  const path = join(modules, name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(join(ROOT, "node_modules", name), path);
}
