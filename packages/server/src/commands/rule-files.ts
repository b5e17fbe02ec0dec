/** Finds and reads rule files. */
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import type { RuleFile } from "../rules/index.ts";
import { CommandError, systemMessage } from "./command-error.ts";

const EXTENSIONS = [".yaml", ".yml"];

/** Malformed UTF-8 is refused: replaced bytes would make one key of two. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads files, and of directories every `.yaml` and `.yml` file directly in them, by name.
 *
 * @throws CommandError `unreadable-path`, `no-rule-files`.
 */
export async function readRuleFiles(paths: readonly string[]): Promise<readonly RuleFile[]> {
  const files = await Promise.all(paths.map(filesAt));
  return Promise.all(files.flat().map(readRuleFile));
}

async function filesAt(path: string): Promise<readonly string[]> {
  const isDirectory = await attempt(path, async () => (await stat(path)).isDirectory());
  if (!isDirectory) return [path];
  const names = (await attempt(path, () => readdir(path))).filter(isRuleFile).sort();
  if (names.length > 0) return names.map((name) => join(path, name));
  throw new CommandError("no-rule-files", `${path}: no file here ends in .yaml or .yml`);
}

function isRuleFile(name: string): boolean {
  return !name.startsWith(".") && EXTENSIONS.includes(extname(name));
}

function readRuleFile(path: string): Promise<RuleFile> {
  return attempt(path, async () => ({ name: path, text: utf8.decode(await readFile(path)) }));
}

async function attempt<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new CommandError("unreadable-path", `${path}: ${systemMessage(error)}`);
  }
}
