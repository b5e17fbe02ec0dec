/** Processes of a suite, as the one that started them sees them. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** A process that sends messages; ends with its scope. */
export class Child implements AsyncDisposable {
  readonly process: ChildProcess;

  constructor(file: URL, args: readonly string[] = []) {
    this.process = fork(file, args, {
      execArgv: [],
      // Numbers stay what they are, NaN included.
      serialization: "advanced",
      // Its output is about the run, not its result.
      stdio: ["ignore", 2, 2, "ipc"],
    });
  }

  /** The next message. @throws Error where the process ends instead */
  async message(): Promise<unknown> {
    const ended = new AbortController();
    const end = () => ended.abort();
    this.process.once("exit", end);
    try {
      return (await once(this.process, "message", { signal: ended.signal }))[0];
    } catch (cause) {
      throw new Error(`${this.process.spawnargs.slice(1).join(" ")} ended`, { cause });
    } finally {
      this.process.off("exit", end);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exit = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await exit;
  }
}
