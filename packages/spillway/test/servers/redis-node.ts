import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Binary, redisBinary, SERVER_NAME } from "./binary.ts";
import { Guard } from "./guard.ts";
import { insist, PortTaken } from "./port-taken.ts";
import { freePort, LOOPBACK } from "./ports.ts";
import { serves } from "./ready.ts";
import { type Ending, ServerProcess } from "./server-process.ts";
import { until } from "./until.ts";

export type ServerOptions = {
  /** After the configuration's file, if there is one, and before what every server gets. */
  readonly args: readonly string[];
  /** Any free one otherwise. */
  readonly port?: number | undefined;
  /** One that stays; otherwise a temporary one, removed at the end. */
  readonly directory?: string | undefined;
  /** What a file of configuration says, for what arguments can't. */
  readonly configuration?: string;
};

type Start = ServerOptions & { readonly binary: Binary; readonly port: number };

/** A server of its own, on this machine; it can be killed and come back at the same port. */
export class RedisNode implements AsyncDisposable {
  readonly port: number;
  readonly directory: string;
  readonly #temporary: boolean;
  readonly #path: string;
  readonly #args: readonly string[];
  readonly #guard: Guard;
  #process: ServerProcess | undefined;
  #stopped = false;

  /** Use `startRedis`, or `startServer`. */
  constructor({ binary, args, port, directory, configuration }: Start) {
    this.port = port;
    this.#temporary = directory === undefined;
    this.directory = directory ?? mkdtempSync(join(tmpdir(), "spillway-redis-"));
    this.#guard = new Guard(this.#temporary ? this.directory : undefined);
    this.#path = binary.path;
    this.#args = [...this.#configured(configuration), ...args, ...this.#common()];
  }

  get url(): string {
    return `redis://${LOOPBACK}:${this.port}`;
  }

  /** Undefined while it is down. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get running(): boolean {
    return this.pid !== undefined;
  }

  /** What it has said since it was last started. */
  get log(): string {
    return this.#process?.log ?? "";
  }

  /** Starts it for the first time. */
  async start(): Promise<void> {
    const logFile = join(this.directory, `${this.port}.log`);
    const started = new ServerProcess({
      path: this.#path,
      args: this.#args,
      directory: this.directory,
      logFile,
      identity: { argv0: SERVER_NAME },
    });
    this.#process = started;
    this.#guard.watch(started.pid);
    started.gone.then(() => this.#guard.watch(this.pid));
    await this.#ready(started);
  }

  /** Ends it, as if it crashed unless told otherwise, and waits until it is gone. */
  async kill(signal: Ending = "SIGKILL"): Promise<void> {
    await this.#process?.kill(signal);
  }

  /** Halts it for so many milliseconds: it answers nothing then, and loses nothing. */
  async halt(ms: number): Promise<void> {
    await this.haltWhile(() => pause(ms));
  }

  /** Halts it for as long as something lasts. */
  async haltWhile(lasting: () => Promise<unknown>): Promise<void> {
    const halted = this.#process;
    halted?.signal("SIGSTOP");
    await lasting().finally(() => halted?.signal("SIGCONT"));
  }

  /** Starts it again at the same port, in the same directory; kills it first if it is running. */
  async restart(): Promise<void> {
    if (this.#stopped) throw new Error(`Server ${this.port} was stopped: start another one.`);
    await this.kill();
    await insist(() => this.start());
  }

  /** Ends it for good, and removes what it left. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.kill();
    // Children that write to disk may take a moment longer to die.
    if (this.#temporary) await rm(this.directory, { recursive: true, force: true, maxRetries: 10 });
    this.#guard.release();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #configured(configuration: string | undefined): string[] {
    if (configuration === undefined) return [];
    const file = join(this.directory, "server.conf");
    writeFileSync(file, configuration);
    return [file];
  }

  #common(): string[] {
    const network = ["--port", `${this.port}`, "--bind", LOOPBACK, "--protected-mode", "no"];
    return [...network, "--dir", this.directory];
  }

  async #ready(started: ServerProcess): Promise<void> {
    const { port } = this;
    const wait = { what: `the server at port ${port} answers PING` };
    try {
      await until(async () => !started.running || (await serves({ port, pid: started.pid })), wait);
    } catch (cause) {
      await started.kill("SIGKILL");
      throw new Error(`${cause} The server said:\n${started.log}`, { cause });
    }
    if (started.running) return;
    if (PortTaken.explains(started.log)) throw new PortTaken(port, started.log);
    throw new Error(`The server for port ${port} ended. It said:\n${started.log}`);
  }
}

export type RedisOptions = {
  readonly args?: readonly string[];
  readonly port?: number;
  readonly directory?: string;
  /** Whether it keeps each write on disk before it answers; it keeps nothing otherwise. */
  readonly persistence?: boolean;
};

/** Starts a Redis server that serves data. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisNode> {
  const { args = [], persistence = false, ...place } = options;
  const { major } = await redisBinary();
  const disk = persistence ? ["yes", "--appendfsync", "always"] : ["no"];
  // Older ones allow DEBUG to everybody, and don't know that it can be forbidden.
  const debug = major >= 7 ? ["--enable-debug-command", "yes"] : [];
  const data = ["--save", "", "--appendonly", ...disk, ...debug];
  return startServer({ ...place, args: [...data, ...args] });
}

/** Starts a server of any sort, and waits until it answers. */
export async function startServer(options: ServerOptions): Promise<RedisNode> {
  const { port } = options;
  if (port !== undefined) return launch({ ...options, port });
  return insist(async () => launch({ ...options, port: await freePort() }));
}

async function launch(options: ServerOptions & { readonly port: number }): Promise<RedisNode> {
  const node = new RedisNode({ ...options, binary: await redisBinary() });
  try {
    await node.start();
    return node;
  } catch (error) {
    await node.stop();
    throw error;
  }
}
