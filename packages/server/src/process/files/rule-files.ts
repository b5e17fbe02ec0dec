/** Finds and reads rule files. */
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { nearest, printable } from "spillway/support";
import { LONGEST_FILE, type RuleFile } from "../../rules/index.ts";
import { CommandError } from "../command-error.ts";
import { systemMessage } from "../system-message.ts";
import { readBytes } from "./read-bytes.ts";

const EXTENSIONS = [".yaml", ".yml"];

/** Malformed UTF-8 is refused: replacement characters would make two keys equal. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

export type ReadRuleFilesOptions = {
  /**
   * Whether to refuse pipes and devices that are named directly. Those in directories are always
   * refused. Default: no.
   */
  readonly regular?: boolean;
};

/** The path of a file, and whether it has to be a regular file. */
type FoundFile = { readonly path: string; readonly regular: boolean };

/**
 * Reads files and, of directories, every `.yaml` and `.yml` file directly in them, ordered by name.
 * A file that is named twice, or also by its directory, is read once.
 *
 * @throws CommandError `unreadable-path`, `no-rule-files`.
 */
export async function readRuleFiles(
  paths: readonly string[],
  { regular = false }: ReadRuleFilesOptions = {},
): Promise<readonly RuleFile[]> {
  const found = await Promise.all(paths.map((path) => filesAt({ path, regular })));
  const files = new Map<string, RuleFile>();
  // One after the other, because the number of open files is limited.
  for (const one of found.flat()) {
    // A pipe without a name, such as a shell's `<(…)`, has no other path than this one.
    const place = await realpath(one.path).catch(() => one.path);
    if (!files.has(place)) files.set(place, await readRuleFile(one));
  }
  return [...files.values()];
}

async function filesAt({ path, regular }: FoundFile): Promise<readonly FoundFile[]> {
  const isDirectory = await attempt(path, async () => (await stat(path)).isDirectory());
  if (!isDirectory) return [{ path, regular }];
  const names = (await attempt(path, () => readdir(path))).filter(isRuleFile).sort();
  if (names.length > 0) return names.map((name) => ({ path: join(path, name), regular: true }));
  throw new CommandError("no-rule-files", `${printable(path)}: no file here ends in .yaml or .yml`);
}

/** Whether the name of a file in a directory is that of a rule file. */
export function isRuleFile(name: string): boolean {
  return !name.startsWith(".") && EXTENSIONS.includes(extname(name));
}

function readRuleFile({ path, regular }: FoundFile): Promise<RuleFile> {
  return attempt(path, async () => {
    const bytes = await readBytes({ path, regular, longest: LONGEST_FILE });
    return { name: path, text: textOf(bytes) };
  });
}

/** A file that is too large may be cut within a character, but it is refused anyway. */
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

/** Suggests a similar path that exists; empty if there is none. */
async function suggestion(path: string): Promise<string> {
  const directory = dirname(path);
  const names = await readdir(directory).catch(() => []);
  const near = nearest(basename(path), names);
  return near === undefined ? "" : `. Did you mean ${printable(join(directory, near))}?`;
}
