/** Rules that change while a real process serves them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createService } from "../../../src/index.ts";
import { watchRuleFiles } from "../../../src/process/reload/reload.ts";
import { Command } from "../../support/command.ts";
import { rulesOf } from "../../support/rules.ts";
import { descriptor, send } from "../../support/service.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const limitOf = (requests: number) => `domain: shop
descriptors:
  - key: user
    rate_limit: { unit: day, requests_per_unit: ${requests} }
`;
const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };

let command: Command | undefined;
afterEach(async () => {
  command?.process.kill("SIGKILL");
  await command?.ended();
});

/** Serves a path, and returns where. */
async function serving(path: string): Promise<{ readonly url: string; readonly command: Command }> {
  command = new Command(["serve", path, "--port", "0"]);
  const [, url = ""] = await command.says(/Listening on (\S+)\. Try/);
  return { url, command };
}

async function take(at: { readonly url: string }) {
  const { status, body } = await send(at, "/v1/limit", ann);
  return [status, body.capacity, body.remaining];
}

/** Replaces a file as editors do. */
function rename(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

describe("rules that change", () => {
  it("apply as soon as they are read, and keep what was used", async () => {
    const file = join(temporaryDirectory(), "rules.yaml");
    writeFileSync(file, limitOf(5));
    const at = await serving(file);
    expect(await take(at)).toEqual([200, 5, 4]);
    writeFileSync(file, limitOf(9));
    await at.command.says(/~ shop\/user +fixed window, 9 per day, before: fixed window, 5 per day/);
    expect(await take(at)).toEqual([200, 9, 7]);
    rename(file, limitOf(2));
    await at.command.says(/2 per day, before/);
    expect(await take(at)).toEqual([429, 2, 0]);
  });

  it("stay as they were where the new ones are wrong", async () => {
    const file = join(temporaryDirectory(), "rules.yaml");
    writeFileSync(file, limitOf(5));
    const at = await serving(file);
    rename(file, `${limitOf(9)}desriptors: []\n`);
    await at.command.complains(/rules\.yaml:5:1 unknown-field/);
    expect(await take(at)).toEqual([200, 5, 4]);
    const health = await fetch(`${at.url}/healthcheck`);
    expect([health.status, await health.text()]).toEqual([
      200,
      "OK, old rules: the files have changed and are invalid",
    ]);
    rename(file, limitOf(9));
    await at.command.says(/9 per day, before/);
    expect(await (await fetch(`${at.url}/healthcheck`)).text()).toBe("OK");
  });

  it("may be swapped by a link, as Kubernetes does it", async () => {
    const directory = temporaryDirectory();
    const version = (name: string, text: string) => {
      mkdirSync(join(directory, name));
      writeFileSync(join(directory, name, "shop.yaml"), text);
      symlinkSync(name, join(directory, "..data.new"));
      renameSync(join(directory, "..data.new"), join(directory, "..data"));
    };
    version("..1", limitOf(5));
    symlinkSync(join("..data", "shop.yaml"), join(directory, "shop.yaml"));
    const at = await serving(directory);
    expect(await take(at)).toEqual([200, 5, 4]);
    version("..2", limitOf(9));
    rmSync(join(directory, "..1"), { recursive: true });
    await at.command.says(/9 per day, before/);
    expect(await take(at)).toEqual([200, 9, 7]);
  });

  it("may come and go in a directory, which may go itself", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "shop.yaml"), limitOf(5));
    const at = await serving(directory);
    writeFileSync(join(directory, "other.yaml"), limitOf(1).replace("shop", "other"));
    await at.command.says(/\+ other\/user/);
    rmSync(directory, { recursive: true });
    await at.command.complains(/unreadable-path|no such file/);
    expect(await take(at)).toEqual([200, 5, 4]);
    mkdirSync(directory);
    writeFileSync(join(directory, "shop.yaml"), limitOf(9));
    await at.command.says(/9 per day, before/);
    expect(await take(at)).toEqual([200, 9, 7]);
  });

  it("never make an answer wrong, however many there are and whoever asks meanwhile", async () => {
    const file = join(temporaryDirectory(), "rules.yaml");
    const many = Array.from(
      { length: 2000 },
      (_, index) => `  - { key: tenant, value: t${index}, rate_limit: { unit: day } }\n`,
    ).join("");
    writeFileSync(file, limitOf(1_000_000) + many);
    const at = await serving(file);
    let isOver = false;
    const capacities: unknown[][] = [];
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) capacities.push(await take(at));
    });
    for (const limit of [2_000_000, 3_000_000, 4_000_000]) {
      rename(file, limitOf(limit) + many);
      await at.command.says(new RegExp(`~ shop/user +fixed window, ${limit} per day`));
    }
    isOver = true;
    await Promise.all(asking);
    expect(capacities.every(([status]) => status === 200)).toBe(true);
    const seen = new Set(capacities.map(([, capacity]) => capacity));
    expect([...seen].every((one) => Number(one) % 1_000_000 === 0)).toBe(true);
    expect((await take(at)).slice(0, 2)).toEqual([200, 4_000_000]);
    // Not one unit was lost, or counted twice.
    expect((await take(at))[2]).toBe(4_000_000 - capacities.length - 2);
  });

  it("are read again on SIGHUP", async () => {
    const file = join(temporaryDirectory(), "rules.yaml");
    writeFileSync(file, limitOf(5));
    const at = await serving(file);
    at.command.process.kill("SIGHUP");
    await at.command.says(/SIGHUP: no limit has changed/);
    expect(await take(at)).toEqual([200, 5, 4]);
  });

  it("go on being read after a pipe stood in their place", async () => {
    const file = join(temporaryDirectory(), "rules.yaml");
    writeFileSync(file, limitOf(5));
    const at = await serving(file);
    rmSync(file);
    execFileSync("mkfifo", [file]);
    await at.command.complains(/rules\.yaml: expected a regular file/);
    rename(file, limitOf(9));
    await at.command.says(/9 per day, before/);
    expect(await take(at)).toEqual([200, 9, 8]);
  });

  it("are read once for all that ask while one of them waits", async () => {
    const file = join(temporaryDirectory(), "rules.yaml");
    const lines: string[] = [];
    const { reload, close } = await watchRuleFiles({
      files: [],
      paths: [file],
      parse: {},
      service: createService({ rules: rulesOf(limitOf(5)) }),
      log: { info: () => {}, warn: (line) => lines.push(line) },
    });
    const first = reload("asked");
    await Promise.resolve();
    // The first reads already, and finds no file: these are one more.
    await Promise.all([first, ...Array.from({ length: 100 }, () => reload("asked"))]);
    close();
    expect(lines.filter((line) => line.startsWith("asked")).length).toBe(2);
  });
});

describe("a service whose rules are replaced", () => {
  it("decides each request by one set of rules", async () => {
    const rules = [5, 9].map((requests) => rulesOf(limitOf(requests)));
    const service = createService({ rules: rulesOf(limitOf(5)) });
    for (let turn = 0; turn < 20; turn++) {
      const { outcomes } = await service.check({ ...ann, count: 0 });
      const [outcome] = outcomes;
      expect([5, 9]).toContain(outcome?.decision.capacity);
      service.replaceRules(rules[turn % 2] as (typeof rules)[0]);
      expect(service.rules).toBe(rules[turn % 2]);
    }
  });

  it("keeps what limits that stay have used, and forgets nothing for a while without them", async () => {
    const service = createService({ rules: rulesOf(limitOf(5)) });
    await service.limit({ ...ann, count: 3 });
    service.replaceRules(rulesOf("domain: other"));
    expect((await service.limit(ann)).joint).toBeUndefined();
    service.replaceRules(rulesOf(limitOf(5)));
    expect((await service.limit(ann)).joint?.remaining).toBe(1);
  });
});
