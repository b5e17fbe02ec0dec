import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  complaint,
  directory,
  fixture,
  inDirectory,
  rules,
  run,
  write,
} from "../support/command-scene.ts";

inDirectory();

describe("spillway", () => {
  it.each([
    ["an option is misspelt", (url: string) => ["serve", rules, `--stor=${url}`]],
    ["an option is left out", (url: string) => ["serve", rules, url]],
    ["it is another option's", (url: string) => ["serve", rules, "--max-keys", url]],
    ["it is one too many", (url: string) => ["migrate", url]],
  ])("shows no password where %s", async (_, args) => {
    const said = await complaint(args("redis://ann:s3c/r@t@10.0.0.1:6379"));
    expect(said).toContain("redis://***@10.0.0.1:6379");
    expect(said).not.toMatch(/s3c|r@t|ann/);
  });

  it.each(["--version", "-V"])("%s prints its version", async (option) => {
    const manifest = new URL("../../package.json", import.meta.url);
    const { version } = JSON.parse(readFileSync(manifest, "utf8"));
    const command = run([option]);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toBe(`${version}\n`);
  });
});

describe("spillway explain", () => {
  const asked = ["--domain", "shop", "--descriptor", "user=ann"];

  it("says which limit a request meets, and what is left in a store", async () => {
    const store = ["--store", `sqlite:${join(directory, "explained.db")}`];
    const command = run(["explain", rules, ...asked, ...store]);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toContain("shop/user  fixed window, 5 per minute");
    expect(command.stdout).toContain("shop/user: 5 left");
  });

  it("fails where no rules are for the domain, with those that there are", async () => {
    const command = run(["explain", rules, "--domain", "shp", "--descriptor", "user=ann"]);
    expect(await command.ended()).toBe(1);
    expect(command.stdout).toContain("Did you mean shop? Domains with rules: shop");
  });

  it("needs a domain and a descriptor", async () => {
    const command = run(["explain", rules, "--domain", "shop"]);
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toContain("--descriptor");
  });
});

describe("spillway schema", () => {
  it("prints the schema that editors need", async () => {
    const command = run(["schema"]);
    expect(await command.ended()).toBe(0);
    expect(Object.keys(JSON.parse(command.stdout).$defs)).toEqual(
      expect.arrayContaining(["descriptor", "rate_limit", "replaces", "http_item"]),
    );
  });
});

describe("spillway check", () => {
  it("prints a line for each limit", async () => {
    const command = run(["check", rules]);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toMatch(/^1 file, 7 limits: all is well$/m);
    expect(command.stdout).toMatch(/^ {2}shop\/item=sale +fixed window, 3 per hour$/m);
    expect(command.stdout).toMatch(
      /shop\/address +token bucket, 10 per second, at most 50 at once/,
    );
    expect(command.stdout).toMatch(/shop\/slow +sliding log, 1 per 90 s/);
    expect(command.stdout).toMatch(/shop\/staff +unlimited/);
    expect(command.stdout).toMatch(/shop\/banned +fixed window, 0 per day: refuses every request/);
    expect(command.stderr).toBe("");
  });

  it("reads every rule file of a directory, by name, and nothing else", async () => {
    const limit = "rate_limit: { unit: day, requests_per_unit: 1 }";
    write("a.yml", `domain: a\ndescriptors: [{ key: k, ${limit} }]`);
    write(".hidden.yaml", "not: rules");
    write("notes.txt", "not: rules");
    const command = run(["check", directory]);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toMatch(/^2 files, 8 limits: all is well\n {2}a\/k /);
  });

  it("does not call rules well that it warns of", async () => {
    const none = write(
      "none.yaml",
      "domain: a\ndescriptors: [{ key: k, rate_limit: { unit: day } }]",
    );
    const command = run(["check", none]);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toMatch(/^1 file, 1 limit: 1 warning\n/);
    expect(command.stderr).toMatch(/refuses-all found no requests_per_unit, which is 0/);
  });

  it("shows how a file begins where another form is written", async () => {
    const other = write("other.yaml", "domain: a\nrules:\n  - { action: login, limit: 5 }");
    expect(await complaint(["check", other])).toContain("A file begins with domain: shop and");
  });

  it("prints every mistake, one a line, with its place", async () => {
    const file = fixture("many-errors");
    const lines = (await complaint(["check", rules, file])).split("\n");
    expect(lines).toHaveLength(14);
    expect(lines[0]).toContain(`${file}:2:9 duplicate-domain found a second file`);
    expect(lines[1]).toContain(`${file}:5:5 unknown-field found "limits", expected only key`);
  });

  it("says why a path can't be read", async () => {
    expect(await complaint(["check", rules, "/no/such/file"])).toBe(
      "unreadable-path /no/such/file: no such file or directory",
    );
    const latin1 = write("latin1.yaml", Buffer.from("domain: caf\xe9", "latin1"));
    expect(await complaint(["check", latin1])).toMatch(/^unreadable-path .*utf-8/);
  });

  it("suggests the path that was probably meant", async () => {
    const near = join(directory, "shop.yml");
    expect(await complaint(["check", near])).toBe(
      `unreadable-path ${near}: no such file or directory. Did you mean ${rules}?`,
    );
  });

  it("reads a file once that is named twice, by its directory or a link too", async () => {
    const link = join(directory, "link");
    symlinkSync(rules, link);
    const command = run(["check", rules, join(directory, ".", "shop.yaml"), directory, link]);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toMatch(/^1 file, 7 limits: all is well$/m);
  });

  it("reads no more of a file than rules may have", async () => {
    expect(await complaint(["check", "/dev/zero"])).toMatch(/^\/dev\/zero:1:1 file-too-large /);
    const tooLong = write("long.yaml", `domain: d\n#${"é".repeat(600_000)}`);
    expect(await complaint(["check", tooLong])).toContain("file-too-large");
  });

  it("cuts long names, and those only", async () => {
    const names = ["k".repeat(110), "l".repeat(4000)];
    const items = names.map((key) => `- { key: ${key}, rate_limit: { unit: day } }\n`);
    const command = run([
      "check",
      write("long.yaml", `domain: d\ndescriptors:\n${items.join("")}`),
    ]);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toMatch(/^ {2}d\/k{110} +fixed window/m);
    expect(command.stdout).toMatch(/^ {2}d\/l{118}… \(4002 characters\) {2}fixed window/m);
  });

  it("wants a path", async () => {
    expect(await complaint(["check"])).toContain("missing required argument");
  });
});
