/** What a lockfile wants, and what npm says that it has put there. Plain JavaScript: it runs before an install. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The packages of a lockfile, or of npm's own record in `node_modules`, by their paths.
 *
 * @returns {Record<string, any>} None where the file is missing, or was cut short.
 */
export function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return {};
  }
}

/** The packages of a folder's lockfile. */
export function lockedIn(folder) {
  return packagesIn(join(folder, "package-lock.json"));
}

/** The packages that npm recorded in a folder's `node_modules` at the end of its last install. */
export function recordedIn(folder) {
  return packagesIn(join(folder, "node_modules", ".package-lock.json"));
}

/** The paths of all that every machine gets: what is optional depends on the machine. */
export function everyMachineGets(packages) {
  return Object.keys(packages).filter(
    (path) => path.includes("node_modules/") && !packages[path].optional,
  );
}

/** The paths of all that a workspace depends on, itself included, and with `dev` what its tests do. */
export function neededBy(packages, { workspace, dev = false }) {
  const found = new Set();
  const visit = (path, withDev) => {
    const entry = packages[path];
    if (entry.link) visit(entry.resolved, false);
    for (const name of namesIn(entry, withDev)) {
      const dependency = resolved(packages, { from: path, name });
      if (dependency === undefined || found.has(dependency)) continue;
      found.add(dependency);
      visit(dependency, false);
    }
  };
  visit(workspace, dev);
  return [...found];
}

function namesIn({ dependencies, devDependencies, peerDependencies, peerDependenciesMeta }, dev) {
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional,
  );
  return Object.keys({ ...dependencies, ...(dev && devDependencies) }).concat(peers);
}

/** Where a module finds a package: the nearest `node_modules` on the way up that has it. */
function resolved(packages, { from, name }) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === "") return undefined;
  }
}

/**
 * Whether a folder's `node_modules` holds packages of its lockfile, in the lockfile's versions.
 *
 * By npm's record, which it writes last, and by the files: whatever was interrupted is not there.
 */
export function holds(folder, paths) {
  const [locked, recorded] = [lockedIn(folder), recordedIn(folder)];
  return paths.every(
    (path) =>
      recorded[path] !== undefined &&
      recorded[path].version === locked[path].version &&
      existsSync(join(folder, path, "package.json")),
  );
}

/** How many of the paths are there by now, for a line that shows how far an install is. */
export function present(folder, paths) {
  return paths.filter((path) => existsSync(join(folder, path, "package.json"))).length;
}
