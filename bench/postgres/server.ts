/** A Postgres server for one run. */
import { Pool } from "pg";
import { startPostgres } from "../../packages/spillway/test/servers/postgres/start.ts";

/** Connections of each contender: few enough for the server, as a pool has them. */
const CONNECTIONS = 10;

/** Ends with the run, whatever ends the run. */
export class Server implements AsyncDisposable {
  readonly #resources = new AsyncDisposableStack();
  readonly #url: string;

  private constructor(server: Awaited<ReturnType<typeof startPostgres>>) {
    this.#resources.use(server);
    this.#url = server.url;
  }

  /** Starts one on a free port. */
  static async start(): Promise<Server> {
    return new Server(await startPostgres({ settings: { shared_buffers: "128MB" } }));
  }

  /** A pool, closed with the server. */
  connect(max = CONNECTIONS): Pool {
    const pool = new Pool({ connectionString: this.#url, max });
    this.#resources.defer(() => pool.end());
    return pool;
  }

  /** What it calls itself, such as "15.19". */
  async version(): Promise<string> {
    const { rows } = await this.connect().query("show server_version");
    return String(rows[0].server_version).split(" ")[0] as string;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}
