import { type Check, describe as lineOf } from "../../tidy/finding.ts";

export const SRC = "packages/spillway/src";

export type Files = Readonly<Record<string, string>>;

export function findings(check: Check, files: Files): string[] {
  return check(new Map(Object.entries(files))).map(lineOf);
}
