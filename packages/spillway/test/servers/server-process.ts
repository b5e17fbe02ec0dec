import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";

/** The signals that end a server. */
export type Ending = "SIGKILL" | "SIGTERM" | "SIGINT";

export type Program = {
  readonly path: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly logFile: string;
  /** Under which name, as whom, and with which environment it runs. */
  readonly identity?: Pick<SpawnOptions, "argv0" | "env" | "gid" | "uid">;
};

/** One run of a server's program. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #logFile: string;
  /** Fulfilled when it has ended, or could not begin. */
  readonly gone: Promise<void>;
  #failure = "";

  constructor({ path, args, directory, logFile, identity }: Program) {
    this.#logFile = logFile;
    // A file, not a pipe: a server is not to wait for a test to read.
    const log = openSync(logFile, "w");
    this.#child = spawn(path, args, {
      ...identity,
      cwd: directory,
      // A group of its own, so that a signal reaches the children that write to disk for it too.
      detached: true,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    this.#child.unref();
    this.gone = this.#end();
  }

  get pid(): number | undefined {
    return this.running ? this.#child.pid : undefined;
  }

  get running(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** All that it has said. */
  get log(): string {
    return readFileSync(this.#logFile, "utf8") + this.#failure;
  }

  /** Halts it, or lets it go on: it answers nothing in between, and keeps its connections. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    if (this.pid !== undefined) process.kill(-this.pid, signal);
  }

  /** Ends it, and waits until it has ended. */
  async kill(signal: Ending): Promise<void> {
    const { pid } = this;
    if (pid === undefined) return;
    process.kill(-pid, signal);
    this.#child.ref();
    await this.gone;
  }

  #end(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once("exit", () => resolve());
      this.#child.once("error", (error) => {
        this.#failure = String(error);
        resolve();
      });
    });
  }
}
