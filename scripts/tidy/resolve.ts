import { posix } from "node:path";

/** The path, from the root, that a relative import leads to; nothing for a package. Pure. */
export function resolve(file: string, { from }: { readonly from: string }): string | undefined {
  return from.startsWith(".") ? posix.join(posix.dirname(file), from) : undefined;
}
