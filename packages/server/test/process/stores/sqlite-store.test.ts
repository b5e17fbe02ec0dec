import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../../spillway/test/servers/until.ts";
import { Command } from "../../support/command.ts";
import { ask, requestOf, serveYearly, YEARLY } from "../../support/yearly.ts";

// Processes are slow to start on a busy machine.

let directory: string;
let file: string;
let store: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "spillway-sqlite-"));
  file = join(directory, "limits.db");
  store = `sqlite:${file}`;
});

afterEach(() => rmSync(directory, { recursive: true }));

describe("a service with a SQLite file", () => {
  it("refuses whom it refused before it was killed and started again", async () => {
    {
      await using service = await serveYearly(store);
      expect(service.said).toContain(`state in sqlite:${file}`);
      expect((await ask(service, { user: "ann", count: 100 })).body.remaining).toBe(0);
      expect((await ask(service, { user: "bob", count: 30 })).body.remaining).toBe(70);
      expect((await ask(service)).status).toBe(429);
      // It is killed here, with SIGKILL.
    }
    await using service = await serveYearly(store);
    expect((await ask(service)).status).toBe(429);
    expect((await ask(service, { user: "bob", count: 71 })).status).toBe(429);
    expect((await ask(service, { user: "bob", count: 70 })).status).toBe(200);
    expect((await service.post("/v1/reset", requestOf("ann"))).status).toBe(200);
    expect((await ask(service)).body.remaining).toBe(99);
    expect(await service.stop()).toBe(0);
    expect(service.warnings).toEqual([]);
  });

  it("shares it with others, to the unit", async () => {
    await using one = await serveYearly(store);
    await using other = await serveYearly(store);
    const asked = Array.from({ length: 150 }, (_, index) => ask(index % 2 === 0 ? one : other));
    const replies = await Promise.all(asked);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(50);
  });

  it("answers by policy while it is locked, tells it once, and recovers", async () => {
    await using service = await serveYearly(store, ["--when-unavailable", "closed"]);
    using locker = new DatabaseSync(file);
    locker.exec("begin immediate");
    for (let asked = 0; asked < 3; asked++) {
      const { status, body } = await ask(service);
      expect(status).toBe(503);
      expect(body).toMatchObject({ ok: false, reason: "unavailable", degraded: true });
    }
    expect((await service.post("/v1/reset", requestOf("ann"))).status).toBe(503);
    locker.exec("commit");
    const answers = async () => (await ask(service)).status === 200;
    await until(answers, { what: "the store is back" });
    await service.warns(/database is locked/);
    expect(service.warnings[0]).toContain("database is locked");
    expect(service.warnings.length).toBeLessThanOrEqual(3);
  });

  it("makes a file, its log and its index that only their owner can read", async () => {
    await using service = await serveYearly(store);
    expect((await ask(service)).status).toBe(200);
    expect(modes(file)).toEqual(["600", "600", "600"]);
  });

  it("makes it so behind a link that leads to no file yet", async () => {
    const target = join(directory, "elsewhere.db");
    symlinkSync(target, file);
    await using service = await serveYearly(store);
    expect((await ask(service)).status).toBe(200);
    expect(modes(target)).toEqual(["600", "600", "600"]);
  });

  it("leaves the mode of a file that is there", async () => {
    writeFileSync(file, "");
    chmodSync(file, 0o640);
    await using service = await serveYearly(store);
    expect((await ask(service)).status).toBe(200);
    expect(modes(file)).toEqual(["640", "640", "640"]);
  });

  it("does not begin with a file that is no database, which is left as it is", async () => {
    writeFileSync(file, "not a database, but a letter\n".repeat(100));
    const rules = join(directory, "rules.yaml");
    writeFileSync(rules, YEARLY);
    const before = readFileSync(file);
    const command = new Command(["serve", rules, "--store", `sqlite:${file}`], { PORT: "0" });
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toContain(`sqlite:${file}: database is "file is not a database"`);
    expect(command.stderr).not.toMatch(/^ +at /m);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

/** The modes of a database, its log, and the log's index. */
function modes(path: string): readonly string[] {
  return ["", "-wal", "-shm"].map((end) => (statSync(path + end).mode & 0o777).toString(8));
}
