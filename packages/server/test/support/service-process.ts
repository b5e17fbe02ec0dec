import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "./command.ts";
import { type Reply, send } from "./service.ts";

export type ServiceOptions = {
  readonly rules: string;
  /** The command that serves them. Default: `serve`. */
  readonly command?: "serve" | "proxy";
  /** Where state lives, as `--store` has it. Default: not said. */
  readonly store?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** A service in a process of its own, at a free port of this machine. */
export class ServiceProcess implements AsyncDisposable {
  readonly #directory = mkdtempSync(join(tmpdir(), "spillway-service-"));
  readonly #command: Command;
  #url = "";

  /** Use `startService`. */
  constructor({ rules, store, command = "serve", args = [], env = {} }: ServiceOptions) {
    const path = join(this.#directory, "rules.yaml");
    writeFileSync(path, rules);
    const stored = store === undefined ? [] : ["--store", store];
    this.#command = new Command([command, path, ...stored, ...args], { PORT: "0", ...env });
  }

  async listening(): Promise<void> {
    const [, url = ""] = await this.#command.says(/Listening on (\S+)\. /);
    this.#url = url;
  }

  get url(): string {
    return this.#url;
  }

  get port(): number {
    return Number(new URL(this.#url).port);
  }

  /** All that it has said. */
  get said(): string {
    return this.#command.stdout + this.#command.stderr;
  }

  /** The warnings among that, without what they all begin with. */
  get warnings(): readonly string[] {
    return [...this.#command.stderr.matchAll(/^\S+ spillway: (.*)$/gm)].map(
      ([, text = ""]) => text,
    );
  }

  /** Waits until it has warned so. */
  async warns(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.#command.stderr)) await once(this.#command.process.stderr, "data");
  }

  /** Asks by POST. */
  post(path: string, body: unknown): Promise<Reply> {
    return send({ url: this.#url }, path, body);
  }

  async health(): Promise<string> {
    const response = await fetch(`${this.#url}/healthcheck`);
    return `${response.status} ${await response.text()}`;
  }

  /** Closes what it prints to, as a terminal or a logger that ends does. */
  closeConsole(): void {
    this.#command.process.stdout.destroy();
    this.#command.process.stderr.destroy();
  }

  /** Waits until it has said something. */
  async says(pattern: RegExp): Promise<void> {
    await this.#command.says(pattern);
  }

  signal(name: NodeJS.Signals): void {
    this.#command.process.kill(name);
  }

  /** Tells it to stop, waits until it has, and tells its exit code. */
  stop(): Promise<number | null> {
    this.signal("SIGTERM");
    return this.#command.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#command.process.kill("SIGKILL");
    await this.#command.ended();
    rmSync(this.#directory, { recursive: true });
  }
}

/** Starts a service, and waits until it listens. */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  await using starting = new AsyncDisposableStack();
  const service = starting.use(new ServiceProcess(options));
  await service.listening();
  starting.move();
  return service;
}
