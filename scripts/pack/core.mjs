import { join as path, relative, sep } from "node:path";
import { build } from "esbuild";

/** Stands for the core in imports, until it is known where the importing file is. */
export const CORE = "core:";

/**
 * Makes one file of all modules that an entry needs, so that a program which imports it reads two files.
 *
 * Returns a plugin by which other builds take those modules from there. Each export has a name of its own in
 * the core: that of its module and its own.
 *
 * @param options Those of all builds.
 * @param modules The modules of the core.
 * @param outfile Where it is written.
 */
export async function coreOf(options, modules, outfile) {
  const names = await exportsOf(options, modules);
  const lines = [...names].map(([module, all], index) => {
    const aliases = all.map((name) => `${name} as ${aliasOf(name, index)}`);
    return `export { ${aliases.join(", ")} } from ${JSON.stringify(module)};`;
  });
  const { outdir, outbase, ...rest } = options;
  await build({ ...rest, stdin: { contents: lines.join("\n"), resolveDir: outbase }, outfile });
  return redirected(new Map([...names].map(([module, all], index) => [module, { all, index }])));
}

/** Returns the modules that some entries need. */
export async function reachedFrom(options, entryPoints) {
  const { metafile } = await build({ ...options, entryPoints, write: false, metafile: true });
  return Object.keys(metafile.inputs).map((file) => path(process.cwd(), file));
}

function aliasOf(name, index) {
  return `m${index}_${name}`;
}

/** The names that modules export, by module; modules that export none are left out. */
async function exportsOf(options, modules) {
  const settings = { ...options, entryPoints: modules, write: false, metafile: true };
  const { metafile } = await build(settings);
  const outputs = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint);
  return new Map(
    outputs
      .filter(({ exports }) => exports.length > 0)
      .map(({ entryPoint, exports }) => [path(process.cwd(), entryPoint), exports]),
  );
}

function redirected(known) {
  return {
    name: "core",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${CORE}`) }, ({ path: to }) => ({
        path: to,
        external: true,
      }));
      onLoad({ filter: /\.js$/ }, ({ path: file }) => {
        const module = known.get(file);
        if (module === undefined) return undefined;
        const names = module.all.map((name) => `${aliasOf(name, module.index)} as ${name}`);
        return { contents: `export { ${names.join(", ")} } from ${JSON.stringify(CORE)};` };
      });
    },
  };
}

/** A path from one file to another, as imports have it. */
export function importPath(from, to) {
  const found = relative(path(from, ".."), to).split(sep).join("/");
  return found.startsWith(".") ? found : `./${found}`;
}
