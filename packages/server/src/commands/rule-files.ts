/** Finds and reads rule files. */
import { createReadStream } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { nearest, printable } from "spillway/core";
import { LONGEST_FILE, type RuleFile } from "../rules/index.ts";
import { CommandError, systemMessage } from "./command-error.ts";

const EXTENSIONS = [".yaml", ".yml"];

/** Malformed UTF-8 is refused: replaced bytes would make one key of two. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

export type ReadOptions = {
  /** Whether to refuse pipes and devices, whose reading may never end. Default: no. */
  readonly regular?: boolean;
};

/**
 * Reads files, and of directories every `.yaml` and `.yml` file directly in them, by name. A file
 * that is named twice, or by its directory too, is read once.
 *
 * @throws CommandError `unreadable-path`, `no-rule-files`.
 */
export async function readRuleFiles(
  paths: readonly string[],
  { regular = false }: ReadOptions = {},
): Promise<readonly RuleFile[]> {
  const found = await Promise.all(paths.map(filesAt));
  const files = new Map<string, RuleFile>();
  // One after the other: a process may have only so many files open.
  for (const path of found.flat()) {
    const place = await attempt(path, () => realpath(path));
    if (files.has(place)) continue;
    if (regular) await checkRegular(path);
    files.set(place, await readRuleFile(path));
  }
  return [...files.values()];
}

/** Refuses pipes and devices. @throws CommandError `unreadable-path` */
export async function checkRegular(path: string): Promise<void> {
  const isRegular = await attempt(path, async () => (await stat(path)).isFile());
  if (!isRegular) throw new CommandError("unreadable-path", `${printable(path)}: this is no file`);
}

async function filesAt(path: string): Promise<readonly string[]> {
  const isDirectory = await attempt(path, async () => (await stat(path)).isDirectory());
  if (!isDirectory) return [path];
  const names = (await attempt(path, () => readdir(path))).filter(isRuleFile).sort();
  if (names.length > 0) return names.map((name) => join(path, name));
  throw new CommandError("no-rule-files", `${printable(path)}: no file here ends in .yaml or .yml`);
}

/** Whether a file of a directory is one of rules, by its name. */
export function isRuleFile(name: string): boolean {
  return !name.startsWith(".") && EXTENSIONS.includes(extname(name));
}

function readRuleFile(path: string): Promise<RuleFile> {
  return attempt(path, async () => ({ name: path, text: textOf(await startOf(path)) }));
}

/** All of a file, or enough of one that is too large: it may be a device that never ends. */
function startOf(path: string): Promise<Buffer> {
  return buffer(createReadStream(path, { end: LONGEST_FILE }));
}

/** What is too large is cut perhaps within a character, and need not be text: it is refused anyhow. */
function textOf(bytes: Buffer): string {
  return bytes.length > LONGEST_FILE ? bytes.toString("latin1") : utf8.decode(bytes);
}

async function attempt<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const hint = isMissing(error) ? await suggestion(path) : "";
    throw new CommandError("unreadable-path", `${printable(path)}: ${systemMessage(error)}${hint}`);
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** The path beside it that it was probably meant to be, if there is one. */
async function suggestion(path: string): Promise<string> {
  const directory = dirname(path);
  const names = await readdir(directory).catch(() => []);
  const near = nearest(basename(path), names);
  return near === undefined ? "" : `. Did you mean ${printable(join(directory, near))}?`;
}
