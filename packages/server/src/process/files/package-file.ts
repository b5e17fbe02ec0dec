import { existsSync } from "node:fs";

/**
 * Returns the URL of a file of this package, by its path from the package's root.
 *
 * Works from any folder: modules are joined into fewer files when the package is packed.
 */
export function packageFile(path: string): URL {
  let root = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", root))) {
    const above = new URL("..", root);
    if (above.href === root.href) {
      throw new Error("found no package.json of spillway-server: leave it out of a bundle");
    }
    root = above;
  }
  return new URL(path, root);
}
