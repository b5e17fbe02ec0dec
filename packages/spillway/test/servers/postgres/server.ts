import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Guard } from "../guard.ts";
import { insist, PortTaken } from "../port-taken.ts";
import { LOOPBACK } from "../ports.ts";
import { type Ending, ServerProcess } from "../server-process.ts";
import { until } from "../until.ts";
import { OWNER } from "./data.ts";
import { haltAll, killChildren } from "./processes.ts";
import { query } from "./query.ts";
import { ENVIRONMENT } from "./run.ts";
import { freeSharedMemory } from "./shared-memory.ts";
import { postgresUser } from "./user.ts";

/** Configuration by its names in Postgres, as in `{ max_connections: 10 }`. */
export type Settings = Readonly<Record<string, string | number>>;

/** What a server of a test's needs, and no more. */
const COMMON: Settings = {
  listen_addresses: LOOPBACK,
  unix_socket_directories: "",
  max_connections: 100,
  shared_buffers: "32MB",
  // What a killed process had written, the system still has: only a machine that dies would lose it.
  fsync: "off",
  // A killed server can't remove what isn't in its folder.
  dynamic_shared_memory_type: "mmap",
};

export type ServerOptions = {
  /** The folder of Postgres' programs. */
  readonly programs: string;
  readonly port: number;
  /** One with data in it, in the folder `data`. It is removed at the end. */
  readonly directory: string;
  readonly settings: Settings;
};

/** A PostgreSQL server of its own, on this machine; it can be killed and come back at the same port. */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly directory: string;
  /** What it was told apart from what every server is. */
  readonly settings: Settings;
  readonly #program: string;
  readonly #guard: Guard;
  #process: ServerProcess | undefined;
  #stopped = false;

  /** Use `startPostgres`, or `replicaOf`. */
  constructor({ programs, port, directory, settings }: ServerOptions) {
    this.port = port;
    this.directory = directory;
    this.settings = settings;
    this.#program = join(programs, "postgres");
    this.#guard = new Guard(directory, { signal: "QUIT" });
  }

  /** For a user who may do everything. */
  get url(): string {
    return this.urlAt(this.port);
  }

  /** The same by way of another port: a proxy's. */
  urlAt(port: number): string {
    return `postgres://${OWNER}@${LOOPBACK}:${port}/${OWNER}`;
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
    const started = new ServerProcess({
      path: this.#program,
      args: this.#args,
      directory: this.directory,
      logFile: join(this.directory, "server.log"),
      identity: { ...postgresUser(), env: ENVIRONMENT },
    });
    this.#process = started;
    this.#guard.watch(started.pid);
    started.gone.then(() => this.#guard.watch(this.pid));
    await this.#ready(started);
  }

  /**
   * Ends it, as if it crashed unless told otherwise, and waits until all its processes are gone.
   *
   * SIGTERM waits until the last client has left, SIGINT throws them out.
   */
  async kill(signal: Ending = "SIGKILL"): Promise<void> {
    const { pid } = this;
    if (pid !== undefined && signal === "SIGKILL") await killChildren(pid);
    await this.#process?.kill(signal);
  }

  /** Halts it for so many milliseconds: it answers nothing then, and loses nothing. */
  async halt(ms: number): Promise<void> {
    await this.haltWhile(() => pause(ms));
  }

  /** Halts it for as long as something lasts. */
  async haltWhile(lasting: () => Promise<unknown>): Promise<void> {
    const goOn = this.pid === undefined ? () => {} : haltAll(this.pid);
    await lasting().finally(goOn);
  }

  /** Starts it again at the same port, with the same data; kills it first if it is running. */
  async restart(): Promise<void> {
    if (this.#stopped) throw new Error(`Server ${this.port} was stopped: start another one.`);
    await this.kill();
    await insist(() => this.start());
  }

  /** Ends it for good, and removes what it left. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.kill();
    await freeSharedMemory(this.directory);
    await rm(this.directory, { recursive: true, force: true });
    this.#guard.release();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  get #data(): string {
    return join(this.directory, "data");
  }

  get #args(): string[] {
    const settings = Object.entries({ ...COMMON, ...this.settings, port: this.port });
    return ["-D", this.#data, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  }

  async #ready(started: ServerProcess): Promise<void> {
    const { port } = this;
    const wait = { what: `the server at port ${port} answers` };
    try {
      await until(async () => !started.running || (await this.#serves()), wait);
    } catch (cause) {
      await this.kill();
      throw new Error(`${cause} The server said:\n${started.log}`, { cause });
    }
    if (started.running) return;
    if (PortTaken.explains(started.log)) throw new PortTaken(port, started.log);
    throw new Error(`The server for port ${port} ended. It said:\n${started.log}`);
  }

  /** Whether it serves on its port, and not another server that was faster to take the port. */
  async #serves(): Promise<boolean> {
    const [row] = await query<{ data_directory: string }>(this, "SHOW data_directory");
    return row?.data_directory === this.#data;
  }
}
