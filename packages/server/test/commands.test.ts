import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Command } from "./support/command.ts";
import { SHOP } from "./support/shop.ts";

const fixture = (name: string) =>
  fileURLToPath(new URL(`./fixtures/${name}.yaml`, import.meta.url));

// Processes are slow to start on a busy machine.

let directory: string;
let rules: string;
const running: Command[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "spillway-"));
  rules = write("shop.yaml", SHOP);
});

afterEach(async () => {
  for (const command of running.splice(0)) {
    command.process.kill("SIGKILL");
    await command.ended();
  }
  rmSync(directory, { recursive: true });
});

function write(name: string, content: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

function run(args: readonly string[], env?: Readonly<Record<string, string>>): Command {
  const command = new Command(args, env);
  running.push(command);
  return command;
}

/** What a run that must fail says: one line or more, and never a stack trace. */
async function complaint(args: readonly string[], env?: Readonly<Record<string, string>>) {
  const command = run(args, env);
  expect(await command.ended()).toBe(1);
  expect(command.stderr).not.toMatch(/^ +at /m);
  expect(command.stdout).toBe("");
  return command.stderr.trimEnd();
}

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
    const manifest = new URL("../package.json", import.meta.url);
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
    expect(Object.keys(JSON.parse(command.stdout).$defs)).toEqual([
      "descriptor",
      "rate_limit",
      "replaces",
    ]);
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
    expect(command.stderr).toBe("");
  });

  it("reads every rule file of a directory, by name, and nothing else", async () => {
    write("a.yml", "domain: a\ndescriptors: [{ key: k, rate_limit: { unit: day } }]");
    write(".hidden.yaml", "not: rules");
    write("notes.txt", "not: rules");
    const command = run(["check", directory]);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toMatch(/^2 files, 8 limits: all is well\n {2}a\/k /);
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

describe("spillway serve, where it can't", () => {
  it.each([
    [["serve"], "missing required argument"],
    [["serve", "rules.yaml", "--port", "http"], "Expected a whole number from 0 to 65535"],
    [["serve", "rules.yaml", "--port", "65536"], "Expected a whole number from 0 to 65535"],
    [["serve", "rules.yaml", "--host", ""], "Expected an address"],
    [["serve", "rules.yaml", "--max-keys", "0"], "Expected a whole number from 1 to 10000000"],
    [["serve", "rules.yaml", "--max-connections", "-1"], "Expected a whole number from 1"],
    [["serve", "rules.yaml", "--allow-origin", "shop.example"], "Expected origins such as"],
    [["serve", "/no/such/file"], "unreadable-path /no/such/file: no such file or directory"],
    [["srve"], "unknown command"],
  ])("says so: %j", async (args, message) => {
    expect(await complaint(args)).toContain(message);
  });

  it("shows what it was given so that it does no harm", async () => {
    const harmful = "\u001b[31m\u009b1m\u202e\u200b\n";
    const shown = "\\u{1b}[31m\\u{9b}1m\\u{202e}\\u{200b}\\n";
    const text = `${harmful}${"x".repeat(20_000)}`;
    const bad = write("bad.yaml", `domain: d\n${JSON.stringify(harmful)}: 1\nx: *a\u202eb\n`);
    const runs = [
      complaint([text]),
      complaint(["serve", rules, "--port", text]),
      complaint(["serve", rules, "--host", text.slice(0, 50)]),
      complaint(["check", text]),
      complaint(["serve", rules], { SPILLWAY_STORE: text }),
      complaint(["serve", rules], { SPILLWAY_STORE: `sqlite:/no/${text.slice(0, 50)}/file` }),
      complaint(["migrate"], { SPILLWAY_SCHEMA: text, SPILLWAY_STORE: "postgres://h/d" }),
      complaint(["check", bad]),
    ];
    for (const said of await Promise.all(runs)) {
      expect(said).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(said.length).toBeLessThan(2000);
    }
    expect(await runs[0]).toContain(`unknown command '${shown}xxx`);
    expect(await runs[7]).not.toContain("\u202e");
  });

  it("says so of the environment too", async () => {
    expect(await complaint(["serve", rules], { PORT: "http" })).toContain("from env 'PORT'");
  });

  it("says so of an empty directory", async () => {
    rmSync(rules);
    expect(await complaint(["serve", directory])).toMatch(/^no-rule-files .*\.yaml or \.yml$/);
  });

  it("says what is wrong with the rules", async () => {
    const file = fixture("bad-unit");
    expect(await complaint(["serve", file])).toContain(`${file}:6:13 bad-unit found "minuet"`);
  });

  it("says that the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const message = await complaint(["serve", rules, "--port", String(port)]);
    expect(message).toBe(
      `port-in-use another program listens on 127.0.0.1:${port}; ` +
        "choose another port with --port or PORT; 0 takes any that is free",
    );
    other.close();
  });

  it("says that the address is not this machine's", async () => {
    const message = await complaint(["serve", rules, "--host", "192.0.2.1"]);
    expect(message).toMatch(/^address-unusable can't listen on 192\.0\.2\.1:8080: /);
  });
});

/** Starts the service on a free port. */
async function start(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const command = run(["serve", rules, ...args], { PORT: "0", ...env });
  const [, url = ""] = await command.says(/Listening on (\S+)\. /);
  await command.says(/ Admin calls .*$/m);
  return { command, url };
}

describe("spillway serve", () => {
  it("says what it serves, and listens to this machine alone", async () => {
    const { command, url } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(command.stdout).toMatch(/^\S+Z 7 limits, state in this process's memory$/m);
    expect(command.stdout).toMatch(/shop\/user +fixed window, 5 per minute/);
    expect(command.stdout).toMatch(/ Admin calls are open to this machine/m);
    expect(await (await fetch(`${url}/healthcheck`)).text()).toBe("OK");
  });

  it.each([
    [["--host", "0.0.0.0"], {}, /^http:\/\/127\.0\.0\.1:/, / Admin calls are shut/m],
    [[], { HOST: "0.0.0.0", SPILLWAY_ADMIN_TOKEN: "" }, /127\.0\.0\.1:/, / Admin calls are shut/m],
    [[], { SPILLWAY_ADMIN_TOKEN: "x" }, /127\.0\.0\.1:/, / Admin calls need SPILLWAY_ADMIN_TOKEN/m],
    [["--host", "127.0.0.1"], { HOST: "0.0.0.0" }, /127\.0\.0\.1:/, / Admin calls are open/m],
  ])("says who may make admin calls: %j %j", async (args, env, address, resets) => {
    const { command, url } = await start(args, env);
    expect(url).toMatch(address);
    expect(command.stdout).toMatch(resets);
  });

  it("serves the rules of several paths", async () => {
    const more = join(directory, "more");
    mkdirSync(more);
    write("more/a.yaml", "domain: a\ndescriptors: [{ key: k, rate_limit: { unit: day } }]");
    write("more/b.yml", "domain: b\ndescriptors: [{ key: k, rate_limit: { unit: day } }]");
    const { command } = await start([more]);
    expect(command.stdout).toMatch(/^\S+Z 9 limits, state in/m);
  });

  it("prints two curl lines that work when pasted into a shell", async () => {
    rules = write("quotes.yaml", SHOP.replace("value: sale", 'value: "it\'s\\t$HOME é\\u202e🙂"'));
    const { command, url } = await start();
    const lines = command.stdout
      .split("\n")
      .flatMap((line) => /^\S+Z {3}(curl .*)$/.exec(line)?.[1] ?? []);
    expect(lines).toHaveLength(2);
    const answers = lines.map(async (line) => {
      // The shell takes the line apart; fetch stands for curl, which not every machine has.
      const printed = line.replace("curl", "printf '%s\\n'");
      const words = execFileSync("sh", ["-c", printed], { encoding: "utf8" }).trimEnd().split("\n");
      const [, target = "", , header = "", , body = ""] = words;
      const [name = "", value = ""] = header.split(": ");
      return fetch(target, { method: "POST", headers: { [name]: value }, body });
    });
    const [v1, json] = await Promise.all(answers);
    expect([v1?.url, v1?.status]).toEqual([`${url}/v1/limit`, 200]);
    expect(await v1?.json()).toMatchObject({ limit: "shop/user", remaining: 4 });
    expect([json?.url, json?.status]).toEqual([`${url}/json`, 200]);
    expect(await json?.json()).toMatchObject({ statuses: [{ limitRemaining: 2 }] });
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends cleanly on %s", async (signal) => {
    const { command, url } = await start();
    await fetch(`${url}/healthcheck`);
    command.process.kill(signal);
    expect(await command.ended()).toBe(0);
    expect(command.stdout).toContain(`${signal}: finishing what is under way`);
    expect(command.stderr).toBe("");
    for (const line of command.stdout.trimEnd().split("\n")) {
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /);
    }
    await expect(fetch(`${url}/healthcheck`)).rejects.toThrow();
  });

  it("answers what is under way before it ends, and waits for nobody who asks nothing", async () => {
    const { command, url } = await start();
    const port = Number(new URL(url).port);
    const silent = connect(port, "127.0.0.1").on("error", () => {});
    const asking = connect(port, "127.0.0.1");
    await Promise.all([once(silent, "connect"), once(asking, "connect")]);
    const entries = [{ key: "user", value: "ann" }];
    const body = JSON.stringify({ domain: "shop", descriptors: [{ entries }] });
    const fields = `content-type: application/json\r\ncontent-length: ${body.length}`;
    // The server says "continue" once the request has begun.
    asking.write(
      `POST /v1/limit HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n${fields}\r\n\r\n`,
    );
    await once(asking, "data");
    command.process.kill("SIGTERM");
    await command.says(/finishing what is under way/);
    asking.write(body);
    expect(await text(asking)).toMatch(/^HTTP\/1\.1 200 OK.*"remaining":4/s);
    expect(await command.ended()).toBe(0);
  });
});
