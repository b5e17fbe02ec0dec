/** A fresh clone, in which `npm start` and others run as a user would run them. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { ON_WINDOWS, ROOT } from "../../setup/places.mjs";

/** What `npm start` reads of a clone. */
const READ = ["package.json", "package-lock.json", "examples/rules.yaml", "scripts", "packages"];
/** What a fresh clone has not, and tests, which are large. */
const LEFT_OUT = ["node_modules", "dist", "types", "test", "tsconfig.tsbuildinfo"];

/** What the test's own npm has set, or steers the service. */
const STEERING =
  /^(?:npm_|INIT_CWD|NODE_ENV|NODE_OPTIONS|HOST|PORT|(?:GRPC|REDIS|RUNTIME|SPILLWAY|LOG|OTEL)_|VITEST)/i;

type Variables = Readonly<Record<string, string>>;

export class Clone {
  readonly folder = mkdtempSync(join(tmpdir(), "spillway-clone-"));
  readonly #running: Run[] = [];

  constructor() {
    for (const path of READ) {
      const filter = (source: string) => !LEFT_OUT.includes(basename(source));
      cpSync(join(ROOT, path), join(this.folder, path), { recursive: true, filter });
    }
  }

  /** Runs a command of the shell, on this Node or another. */
  run(command: string, env: Variables = {}, node: string = process.execPath): Run {
    const others = Object.entries(process.env).filter(([name]) => !STEERING.test(name));
    const PATH = [dirname(node), process.env.PATH].join(delimiter);
    const run = new Run(command, {
      cwd: this.folder,
      env: { ...Object.fromEntries(others), PATH, PORT: "0", ...env },
    });
    this.#running.push(run);
    return run;
  }

  /** Ends what still runs, and removes the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map((run) => run.stop()));
    rmSync(this.folder, { recursive: true });
  }
}

class Run {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown>;
  /** All that it has said so far. */
  said = "";

  constructor(command: string, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    // Without a shell of its own: it would keep signals from npm.
    const line = ON_WINDOWS ? command : `exec ${command}`;
    this.#process = spawn(line, { ...options, shell: true });
    this.#ended = once(this.#process, "close");
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.on("data", (part) => {
        this.said += part;
      });
    }
  }

  /** The address of the service that it started; fails if it ends before. */
  async url(): Promise<string> {
    for (;;) {
      const [, url] = /Listening on (\S+)\. /.exec(this.said) ?? [];
      if (url !== undefined) return url;
      const more = once(this.#process.stdout, "data").then(() => true);
      if (await Promise.race([more, this.#ended.then(() => false)])) continue;
      throw new Error(`it ended without listening: ${this.said}`);
    }
  }

  /** Waits for its end; resolves to its exit code. */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#process.exitCode;
  }

  async stop(): Promise<number | null> {
    this.#process.kill("SIGTERM");
    return this.ended();
  }
}

/** What all files under a folder hold, in MB; links are not followed. */
export function megabytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).size);
  return sizes.reduce((all, one) => all + one, 0) / 1e6;
}
