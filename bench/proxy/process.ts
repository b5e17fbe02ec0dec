/** `spillway proxy`, or a server of Node alone, as a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Every client has a limit that it does not reach. */
export const RULES = `
domain: bench
http:
  - actions: [{ remote_address: {} }]
descriptors:
  - { key: remote_address, rate_limit: { unit: second, requests_per_unit: 1000000 } }
`;

const BIN = fileURLToPath(new URL("../../packages/server/bin/spillway.js", import.meta.url));

const BARE = fileURLToPath(new URL("bare-server.ts", import.meta.url));

export class ProxyProcess implements AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #directory: string;

  private constructor(child: ChildProcess, found: { url: string; directory: string }) {
    this.#child = child;
    this.#directory = found.directory;
    this.url = found.url;
    this.pid = child.pid ?? 0;
  }

  /** Starts one that forwards to a server. */
  static start(to: string, options: readonly string[] = []): Promise<ProxyProcess> {
    const directory = mkdtempSync(join(tmpdir(), "spillway-bench-"));
    const rules = join(directory, "rules.yaml");
    writeFileSync(rules, RULES);
    const args = [BIN, "proxy", rules, "--to", to, "--port", "0", ...options];
    return ProxyProcess.#run(args, directory);
  }

  /** Starts a server of Node alone. */
  static bare(...args: readonly string[]): Promise<ProxyProcess> {
    const directory = mkdtempSync(join(tmpdir(), "spillway-bench-"));
    return ProxyProcess.#run([BARE, ...args], directory);
  }

  /** With as many open files as the machine lets it have. */
  static async #run(args: readonly string[], directory: string): Promise<ProxyProcess> {
    const child = spawn("sh", ["-c", MOST_FILES, process.execPath, ...args]);
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    for (;;) {
      const url = /Listening on (\S+)\. /.exec(said)?.[1];
      if (url !== undefined) return new ProxyProcess(child, { url, directory });
      await once(child.stdout, "data");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
    rmSync(this.#directory, { recursive: true });
  }
}

/** A connection is an open file, and a shell may admit fewer than the machine does. */
const MOST_FILES = 'ulimit -n "$(ulimit -Hn)"; exec "$0" "$@"';
