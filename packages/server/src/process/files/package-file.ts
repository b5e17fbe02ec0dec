import { existsSync } from "node:fs";

/**
 * Returns the URL of a file of this package, by its path from the package's root.
 *
 * Works from any folder: modules are joined into fewer files when the package is packed.
 */
export function packageFile(path: string): URL {
  let root = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", root))) root = new URL("..", root);
  return new URL(path, root);
}
