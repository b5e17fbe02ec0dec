/** An audit log in a file: on the disk before a change, bounded, and read again. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AuditError, MOST_ENTRIES } from "../../../../src/index.ts";
import { auditFile } from "../../../../src/process/admin/audit/audit-file.ts";
import { atEnd } from "../../../support/at-end.ts";
import { START } from "../../../support/service.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

const DRAFT = { by: "socket", what: "reset", on: ["shop/user=ann"], outcome: "accepted" } as const;

async function opened(path: string, longest?: number) {
  const options = { path, clock: () => START, ...(longest && { longest }) };
  const audit = await auditFile(options);
  atEnd(() => audit.close());
  return audit;
}

function linesOf(path: string): readonly { version: number }[] {
  const text = readFileSync(path, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("an audit file", () => {
  const pathIn = (directory: string) => join(directory, "audit.jsonl");

  it("has each entry as a line, for its owner alone", async () => {
    const path = pathIn(temporaryDirectory());
    const audit = await opened(path);
    await audit.append(DRAFT);
    expect(linesOf(path)).toEqual([{ version: 1, at: new Date(START).toISOString(), ...DRAFT }]);
    expect(statSync(path).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
  });

  it("goes on from the last version, after a line that a crash has cut", async () => {
    const path = pathIn(temporaryDirectory());
    const first = await auditFile({ path, clock: () => START });
    await first.append(DRAFT);
    await first.append(DRAFT);
    await first.close();
    appendFileSync(path, '{"version":3,"at":"20');
    const audit = await opened(path);
    expect((await audit.recent(MOST_ENTRIES)).map(({ version }) => version)).toEqual([1, 2]);
    expect(await audit.append(DRAFT)).toMatchObject({ version: 3 });
    const again = await opened(path);
    expect((await again.recent(MOST_ENTRIES)).map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it("begins a new file when it is full, and keeps one before it", async () => {
    const path = pathIn(temporaryDirectory());
    const audit = await opened(path, 300);
    for (let n = 0; n < 12; n++) await audit.append(DRAFT);
    expect(statSync(path).size).toBeLessThan(600);
    const versions = [...linesOf(`${path}.1`), ...linesOf(path)].map(({ version }) => version);
    expect(versions).toEqual(versions.map((_, at) => 12 - versions.length + 1 + at));
    expect(existsSync(`${path}.2`)).toBe(false);
    expect((await (await opened(path)).recent(MOST_ENTRIES)).map(({ version }) => version)).toEqual(
      versions,
    );
  });

  it("is created again if it was moved or removed", async () => {
    const path = pathIn(temporaryDirectory());
    const audit = await opened(path);
    await audit.append(DRAFT);
    renameSync(path, `${path}.old`);
    await audit.append(DRAFT);
    rmSync(path);
    await audit.append(DRAFT);
    expect(linesOf(path)).toMatchObject([{ version: 3 }]);
    expect(linesOf(`${path}.old`)).toMatchObject([{ version: 1 }]);
  });

  it("leaves a full file that another program has rotated, and its new one", async () => {
    const path = pathIn(temporaryDirectory());
    const audit = await opened(path, 1);
    await audit.append(DRAFT);
    renameSync(path, `${path}.1`);
    writeFileSync(path, "");
    await audit.append(DRAFT);
    expect(linesOf(`${path}.1`)).toMatchObject([{ version: 1 }]);
    expect(linesOf(path)).toMatchObject([{ version: 2 }]);
    renameSync(path, `${path}.1`);
    await audit.append(DRAFT);
    expect(linesOf(path)).toMatchObject([{ version: 3 }]);
  });

  it("refuses an entry that can't be written, with the place and a way out", async () => {
    const directory = join(temporaryDirectory(), "inner");
    mkdirSync(directory);
    const path = pathIn(directory);
    const audit = await opened(path);
    await audit.append(DRAFT);
    rmSync(directory, { recursive: true });
    const error = await audit.append(DRAFT).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AuditError);
    expect((error as Error).message).toContain(path);
    expect((error as Error).message).toContain("--audit-file");
    expect(await audit.recent(MOST_ENTRIES)).toHaveLength(1);
    mkdirSync(directory);
    expect(await audit.append(DRAFT)).toMatchObject({ version: 2 });
  });

  it("stops the start if it can't be opened", async () => {
    const path = join(temporaryDirectory(), "none", "audit.jsonl");
    await expect(auditFile({ path, clock: () => START })).rejects.toMatchObject({
      code: "unwritable-path",
      message: expect.stringContaining(path),
    });
  });

  it("leaves out lines that are no entries", async () => {
    const path = pathIn(temporaryDirectory());
    writeFileSync(path, 'x\n{"version":"7"}\nnull\n');
    expect(await (await opened(path)).recent(MOST_ENTRIES)).toEqual([]);
  });
});
