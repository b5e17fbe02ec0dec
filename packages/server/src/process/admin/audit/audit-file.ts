/** An audit log in a bounded file, as JSON lines. */
import { type FileHandle, open, readFile, rename, stat } from "node:fs/promises";
import type { Clock } from "spillway";
import { printable } from "spillway/support";
import {
  type AuditEntry,
  AuditError,
  type AuditLog,
  RecentAudit,
  recentLog,
} from "../../../service/index.ts";
import { CommandError } from "../../command-error.ts";
import { systemMessage } from "../../system-message.ts";
import { entryIn } from "./entry-text.ts";

export type AuditFileOptions = {
  readonly path: string;
  readonly clock: Clock;
  /** The size from which a new file begins, in bytes. Default: 8 MiB. */
  readonly longest?: number;
};

const LONGEST = 8 * 1024 * 1024;
/** Entries name keys, which may be names and addresses. */
const FOR_THE_OWNER_ALONE = 0o600;

/**
 * Opens an audit log. Each entry is on the disk before its change is carried out. A full file is
 * renamed to `<path>.1`, over the one before, so that two files are kept at most.
 *
 * @throws CommandError `unwritable-path`
 */
export async function auditFile(options: AuditFileOptions): Promise<AuditLog> {
  const { path, clock, longest = LONGEST } = options;
  try {
    const earlier = [...(await entriesIn(`${path}.1`)), ...(await entriesIn(path))];
    const recent = new RecentAudit({ clock, earlier });
    const file = new AuditFile({ path, longest }, await opened(path));
    await file.endLine();
    return {
      where: printable(path),
      ...recentLog(recent, (entry) => file.append(entry)),
      close: () => file.close(),
    };
  } catch (error) {
    throw new CommandError("unwritable-path", `${printable(path)}: ${systemMessage(error)}`);
  }
}

type OpenFile = { readonly handle: FileHandle; readonly ino: number; size: number };

async function opened(path: string): Promise<OpenFile> {
  const handle = await open(path, "a+", FOR_THE_OWNER_ALONE);
  const { ino, size } = await handle.stat();
  return { handle, ino, size };
}

class AuditFile {
  readonly #path: string;
  readonly #longest: number;
  #file: OpenFile;

  constructor({ path, longest }: Required<Omit<AuditFileOptions, "clock">>, file: OpenFile) {
    this.#path = path;
    this.#longest = longest;
    this.#file = file;
  }

  /** Ends a line that an earlier process left incomplete. */
  async endLine(): Promise<void> {
    const { handle, size } = this.#file;
    if (size === 0) return;
    const last = Buffer.alloc(1);
    await handle.read(last, 0, 1, size - 1);
    if (last.toString() !== "\n") await this.#write("\n");
  }

  /** @throws AuditError */
  async append(entry: AuditEntry): Promise<void> {
    try {
      await this.#makeRoom();
      await this.#write(`${JSON.stringify(entry)}\n`);
    } catch (error) {
      throw new AuditError(
        `The audit log ${printable(this.#path)} can't be written: ${systemMessage(error)}; ` +
          "make room or give the service the right to write it, or start it with another " +
          "--audit-file",
      );
    }
  }

  close(): Promise<void> {
    return this.#file.handle.close();
  }

  /** If writing fails in between, the incomplete line is removed. */
  async #write(text: string): Promise<void> {
    const { handle, size } = this.#file;
    try {
      await handle.appendFile(text);
      await handle.datasync();
      this.#file.size = size + Buffer.byteLength(text);
    } catch (error) {
      await handle.truncate(size).catch(() => {});
      throw error;
    }
  }

  /** A full file is renamed only while it has the path: another program may have rotated it. */
  async #makeRoom(): Promise<void> {
    const isInPlace = await this.#isInPlace();
    if (isInPlace && this.#file.size < this.#longest) return;
    if (isInPlace) await rename(this.#path, `${this.#path}.1`);
    await this.#reopen();
  }

  /** Whether the open file still has the path: it may have been renamed or removed. */
  async #isInPlace(): Promise<boolean> {
    const found = await stat(this.#path).catch(() => undefined);
    return found?.ino === this.#file.ino;
  }

  async #reopen(): Promise<void> {
    const before = this.#file;
    this.#file = await opened(this.#path);
    await before.handle.close();
  }
}

/** Reads the entries of a file. Lines that are none, such as incomplete ones, are left out. */
async function entriesIn(path: string): Promise<readonly AuditEntry[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").flatMap((line) => entryIn(line));
}
