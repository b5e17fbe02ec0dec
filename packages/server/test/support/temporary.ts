import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./at-end.ts";

/** A directory that is there until the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "spillway-"));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
