import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import {
  complaint,
  directory,
  fixture,
  inDirectory,
  rules,
  write,
} from "../support/command-scene.ts";

inDirectory();

/** Has Node find no package of OpenTelemetry, as where nobody has installed them. */
const WITHOUT_TELEMETRY = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({
    resolve: (name, context, next) =>
      next(name.startsWith("@opentelemetry/") ? "@opentelemetry/missing" : name, context),
  });
`)}`;

function manifest() {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
}

describe("spillway serve, where it can't", () => {
  it.each([
    [["serve"], "expected a rule file"],
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
    expect(await complaint(["serve", rules], { PORT: "http" })).toBe(
      'bad-variable PORT is "http". Expected a whole number from 0 to 65535.',
    );
  });

  it("says so of an empty directory", async () => {
    rmSync(rules);
    expect(await complaint(["serve", directory])).toMatch(/^no-rule-files .*\.yaml or \.yml$/);
  });

  it("says what is wrong with the rules", async () => {
    const file = fixture("bad-unit");
    expect(await complaint(["serve", file])).toContain(`${file}:6:13 bad-unit found "minuet"`);
  });

  it("says that the port is in use, in the words of what it was started by", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const args = ["serve", rules, "--port", String(port)];
    const said = (way: string) =>
      `port-in-use another program listens on 127.0.0.1:${port}; ` +
      `choose another port with ${way}; 0 picks any free port`;
    expect(await complaint(args, { npm_lifecycle_event: "npx" })).toBe(said("--port or PORT"));
    const another = port < 60_000 ? port + 1000 : port - 1000;
    const way = process.platform === "win32" ? "the variable PORT, then" : `PORT=${another}`;
    expect(await complaint(args, { npm_lifecycle_event: "start" })).toBe(said(`${way} npm start`));
    other.close();
  });

  it.each(["METRICS", "TRACES"])(
    "names the command that installs OpenTelemetry, where it is asked for: %s",
    async (signal) => {
      const message = await complaint(["serve", rules], {
        [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]: "http://127.0.0.1:4318",
        NODE_OPTIONS: `--import ${WITHOUT_TELEMETRY}`,
      });
      expect(message).toMatch(/^missing-package OTEL_EXPORTER_OTLP_ENDPOINT needs /);
      const [, command = ""] = / npm install (.*) \(/.exec(message) ?? [];
      const { peerDependencies, peerDependenciesMeta } = manifest();
      const packages = Object.entries(peerDependencies).map(([name, at]) => `"${name}@${at}"`);
      expect(command).toBe(packages.join(" "));
      expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies));
    },
  );

  it("says that the address is not this machine's", async () => {
    const message = await complaint(["serve", rules, "--host", "192.0.2.1"]);
    expect(message).toMatch(/^address-unusable can't listen on 192\.0\.2\.1:8080: /);
  });
});
