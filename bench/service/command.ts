/** `spillway serve` in a process of its own. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const BIN = new URL("../bin/spillway.js", import.meta.resolve("spillway-server"));

type Ports = Pick<ServiceProcess, "port" | "grpcPort">;

/** How it is started. */
export type StartOptions = {
  /** The program. Default: the clone's, as it is built. */
  readonly bin?: string;
  /** What `NODE_OPTIONS` holds. Default: what it holds for the bench. */
  readonly nodeOptions?: string;
};

/** Ends with its scope. */
export class ServiceProcess implements AsyncDisposable {
  readonly #process: ChildProcessByStdio<null, Readable, null>;
  readonly port: number;
  /** Where it answers gRPC. */
  readonly grpcPort: number;

  private constructor(process: ChildProcessByStdio<null, Readable, null>, ports: Ports) {
    this.#process = process;
    this.port = ports.port;
    this.grpcPort = ports.grpcPort;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Waits until it says something, from now on. */
  says(pattern: RegExp): Promise<void> {
    return new Promise((resolve) => {
      const hear = (text: Buffer) => {
        if (!pattern.test(text.toString())) return;
        this.#process.stdout.off("data", hear);
        resolve();
      };
      this.#process.stdout.on("data", hear);
    });
  }

  /**
   * Starts one on a free port of this machine.
   *
   * @throws Error where it ends instead of listening
   */
  static async start(
    args: readonly string[],
    { bin = fileURLToPath(BIN), nodeOptions }: StartOptions = {},
  ): Promise<ServiceProcess> {
    const command = [bin, "serve", ...args, "--host", "127.0.0.1", "--port", "0"];
    const env = { ...process.env, ...(nodeOptions && { NODE_OPTIONS: nodeOptions }) };
    // What it warns of is about the run, not its result.
    const child = spawn(process.execPath, command, { env, stdio: ["ignore", "pipe", "inherit"] });
    let grpcPort = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      grpcPort = Number(/gRPC on 127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? grpcPort);
      const [, port] = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
      if (port === undefined) continue;
      child.stdout.resume();
      return new ServiceProcess(child, { port: Number(port), grpcPort });
    }
    throw new Error(`${command.join(" ")} ended before it listened`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exit = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await exit;
  }
}
