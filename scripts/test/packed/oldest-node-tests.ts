/** What is promised for Node 22.12 holds there: this runs the packed packages and the pages on it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { LIBRARY, SERVER } from "../../names.mjs";
import { fences, modules, newer, pages, ROOT, read, withoutNewer } from "../pages.ts";
import { OLDEST, OLDEST_NODE } from "./oldest.ts";
import { PACKAGES, type Packed } from "./packed.ts";
import { type Outcome, run } from "./run.ts";

/** Imports of drivers, of test runners, and of what Node 22.12 has behind a flag. */
const NEEDS_MORE = new RegExp(
  `from "(?!${LIBRARY}["/]|node:(?!sqlite|test))|serviceStore\\(|process\\.env\\.SPILLWAY_URL`,
);

const NODE = OLDEST_NODE ?? "";
const TITLE = OLDEST_NODE ? "on Node 22.12" : "skipped: npm has no Node 22.12 for this machine";

export function oldestNodeTests(packed: () => Packed): void {
  describe.skipIf(OLDEST_NODE === undefined)(TITLE, () => {
    /** Runs a program to its end on the oldest Node. */
    function runOldest(args: readonly string[], input = ""): Outcome {
      return run(NODE, ["--no-warnings", ...args], { cwd: packed().folder, input });
    }

    /** Those that can't be parsed, with the reason. */
    function unparsable(files: readonly string[]): string[] {
      const args = ["--experimental-vm-modules", join(OLDEST, "parse.mjs")];
      const { stdout, stderr, status } = runOldest(args, files.join("\n"));
      expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
      return stdout.split("\n").filter(Boolean);
    }

    function write(name: string, typescript: string): string {
      const file = join(packed().folder, name);
      writeFileSync(file, stripTypeScriptTypes(typescript));
      return file;
    }

    test("it is the one that the packages name", () => {
      for (const folder of ["spillway", "server"]) {
        const { engines } = JSON.parse(read(`packages/${folder}/package.json`));
        expect(`>=${runOldest(["-v"]).stdout}`).toBe(`${engines.node.replace(">=", ">=v")}.0\n`);
      }
    });

    test("all that is packed parses", () => {
      const files = PACKAGES.flatMap((name) => {
        const dist = join(packed().contents(name), "dist");
        return readdirSync(dist, { recursive: true, encoding: "utf8" })
          .filter((file) => file.endsWith(".js"))
          .map((file) => join(dist, file));
      });
      expect(files.length).toBeGreaterThan(50);
      expect(unparsable(files)).toEqual([]);
    });

    test("every code of the pages parses, or says that it needs a newer one, and does", () => {
      const old = pages()
        .map(withoutNewer)
        .flatMap((page) => modules(page))
        .map(({ name, code }) => write(`parse-${name}.mjs`, code));
      const js = pages()
        .flatMap(({ text }) => fences(text, "js"))
        .map((code, index) => write(`parse-${index}.mjs`, code));
      expect(unparsable([...old, ...js])).toEqual([]);
      const young = pages()
        .flatMap(newer)
        .map((code, index) => write(`parse-newer-${index}.mjs`, code));
      expect(young).not.toEqual([]);
      expect(unparsable(young)).toHaveLength(young.length);
    });

    test("the pages' examples that need no server, nor a test runner, run", () => {
      const files = pages()
        .map(withoutNewer)
        .flatMap((page) => modules(page))
        .filter(({ code }) => !NEEDS_MORE.test(code))
        .map(({ name, code }) => write(`${name}.mjs`, code.replace(".listen(8080)", ".listen(0)")));
      expect(files.length).toBeGreaterThan(20);
      mkdirSync(join(packed().folder, "migrations")); // where an example writes
      const { stderr, status } = runOldest([join(OLDEST, "run.mjs"), ...files]);
      expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    });

    test("a pipelined request that waits is withdrawn when its connection breaks", () => {
      const { stdout, stderr } = runOldest([write("pipelined.mjs", PIPELINED)]);
      expect([stdout, stderr]).toEqual(["true true\n", ""]);
    });

    test("the service answers, and ends on SIGTERM", async () => {
      const bin = join(packed().contents(SERVER), "bin", "spillway.js");
      const args = [bin, "serve", "examples/rules.yaml", "--port", "0"];
      const service = spawn(NODE, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
      const ended = once(service, "exit");
      try {
        const url = await Promise.race([urlFrom(service.stdout), ended]);
        const { status } = await fetch(`${url}/healthcheck`);
        expect(status).toBe(200);
      } finally {
        service.kill("SIGTERM");
      }
      expect(await ended).toEqual([0, null]);
    });
  });
}

/** The first waits for nobody, the second for the first: this Node closes only that one's response. */
const PIPELINED = `
import { createServer } from "node:http";
import { connect } from "node:net";
import { closeSignal } from "spillway/shedding";

const GET = "GET / HTTP/1.1\\r\\nhost: shop.example\\r\\n\\r\\n";
const signals = [];
const server = createServer((_, response) => {
  signals.push(closeSignal(response));
  if (signals.length === 2) client.destroy();
  response.req.socket.once("close", () => setImmediate(end));
}).listen(0, () => {
  client = connect(server.address().port, () => client.write(GET + GET));
});
let client;
function end() {
  console.log(...signals.map(({ aborted }) => aborted));
  process.exit();
}
`;

/** The address that a service says it listens on. */
function urlFrom(output: Readable): Promise<string> {
  let said = "";
  return new Promise((resolve) => {
    output.on("data", (part) => {
      said += part;
      const [url] = /http:\/\/[\d.]+:\d+/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}
