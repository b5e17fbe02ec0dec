import type { Tree } from "./tree.ts";

/** Something that is not as the house wants it, and where. */
export type Finding = {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly expected: string;
};

/** Looks at every file; answers what is wrong. Pure. */
export type Check = (tree: Tree) => Finding[];

/** One line that editors and terminals can follow. Pure. */
export function describe({ file, line, found, expected }: Finding): string {
  return `${file}:${line}  found ${found}, expected ${expected}`;
}
