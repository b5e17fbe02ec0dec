import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ROOT } from "../pages.ts";

export type Program = {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
};

/** A program that serves, in a process of its own; it runs at the root of the repository. */
export class Served {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  /** Where it listens. */
  readonly url: string;

  private constructor(child: ChildProcess, exit: Promise<unknown>, port: string) {
    this.#child = child;
    this.#exit = exit;
    this.url = `http://127.0.0.1:${port}`;
  }

  /**
   * Starts it, and waits until it prints its port, as `"port":80`.
   *
   * @throws Error with what it has printed, where it ends before it does
   */
  static async start({ path, args, env }: Program): Promise<Served> {
    const child = spawn(path, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
    const exit = once(child, "close");
    return new Served(child, exit, await portOf(child));
  }

  /** Ends it, and waits until it has ended. */
  async stop(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exit;
  }
}

function portOf(child: ChildProcess): Promise<string> {
  let printed = "";
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      const [, port] = /"port":(\d+)/.exec(printed) ?? [];
      if (port !== undefined) resolve(port);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("close", () => reject(new Error(`it ended: ${printed}`)));
  });
}
