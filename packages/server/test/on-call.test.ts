/** The commands of the page for whoever is on call print what it says. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Command } from "./support/command.ts";
import { type ServiceProcess, startService } from "./support/service-process.ts";

const page = readFileSync(new URL("../../../docs/service/on-call.md", import.meta.url), "utf8");

/** The fenced blocks of a language. */
function fences(language: string): readonly string[] {
  const all = page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"));
  return [...all].map(([, block = ""]) => block);
}

/** A command as typed, and the lines that follow it. */
type Typed = { readonly command: string; readonly printed: readonly string[] };

function typed(): readonly Typed[] {
  return fences("console").flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = "", ...printed] = part.trimEnd().split("\n");
        return { command, printed };
      }),
  );
}

/** The words of a command, as a shell has them. */
function wordsOf(command: string): readonly string[] {
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)];
  return words.map(([, quoted, plain]) => quoted ?? plain ?? "").slice(1);
}

/** A line without what differs in each run: times, digests, and how wide the columns are. */
function lasting(line: string): string {
  return line
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<instant>")
    .replace(/\b\d+ (?:d|h|min|s|ms)(?: \d+ (?:h|min|s|ms))?(?![\w/])/g, "<time>")
    .replace(/\b[0-9a-f]{16}\b/g, "<digest>")
    .replace(/ {2,}/g, "  ");
}

/** What has happened before the page begins. */
async function traffic(service: ServiceProcess): Promise<void> {
  const ask = (key: string, value: string) =>
    service.post("/v1/limit", { domain: "shop", descriptors: [{ entries: [{ key, value }] }] });
  for (let n = 0; n < 130; n++) await ask("address", "192.0.2.7");
  for (let n = 0; n < 6; n++) await ask("user", "ann");
}

test("the seven situations of a call", async () => {
  const directory = mkdtempSync(join(tmpdir(), "spillway-on-call-"));
  const socket = join(directory, "admin.sock");
  const audit = join(directory, "audit.jsonl");
  try {
    await using service = await startService({
      rules: fences("yaml")[0] ?? "",
      args: ["--admin-socket", socket, "--audit-file", audit],
    });
    await service.says(/Administration on unix:/);
    await traffic(service);
    const found: Typed[] = [];
    for (const { command } of typed()) {
      const run = new Command(wordsOf(command), { SPILLWAY_ADMIN_URL: `unix:${socket}` });
      await run.ended();
      const printed = `${run.stdout}${run.stderr}`.trimEnd().replaceAll(audit, "audit.jsonl");
      found.push({ command, printed: printed.split("\n") });
    }
    const comparable = (all: readonly Typed[]) =>
      all.map(({ command, printed }) => ({ command, printed: printed.map(lasting) }));
    expect(comparable(found)).toEqual(comparable(typed()));
  } finally {
    rmSync(directory, { recursive: true });
  }
});
