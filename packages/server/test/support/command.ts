import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../bin/spillway.js", import.meta.url));

const STEERING =
  /^(?:HOST|PORT|(?:GRPC|REDIS|RUNTIME|SPILLWAY|LOG|OTEL|PROMETHEUS)_\w+|USE_PROMETHEUS)$/;

/** The environment of the test, without what steers the service. */
function environment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !STEERING.test(name));
  return { ...Object.fromEntries(others), ...more };
}

/** A run of the command line, or of another script: a real process, of what was built. */
export class Command {
  readonly process: ChildProcessWithoutNullStreams;
  readonly #end: Promise<unknown>;
  stdout = "";
  stderr = "";

  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    script: string = BIN,
  ) {
    this.process = spawn(process.execPath, [script, ...args], { env: environment(env) });
    this.#end = once(this.process, "close");
    this.process.stdout.on("data", (chunk) => {
      this.stdout += chunk;
    });
    this.process.stderr.on("data", (chunk) => {
      this.stderr += chunk;
    });
  }

  /** Waits until it has said something; fails if it ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#writes("stdout", pattern);
  }

  /** Waits until it has complained of something; fails if it ends before. */
  complains(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#writes("stderr", pattern);
  }

  async #writes(stream: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this[stream]);
      if (found !== null) return found;
      const more = once(this.process[stream], "data");
      if ((await Promise.race([more, this.#end.then(() => undefined)])) !== undefined) continue;
      throw new Error(`it ended without saying ${pattern}: ${this.stdout}${this.stderr}`);
    }
  }

  /** Waits for its end, and tells the exit code; null where a signal ended it. */
  async ended(): Promise<number | null> {
    await this.#end;
    return this.process.exitCode;
  }
}
