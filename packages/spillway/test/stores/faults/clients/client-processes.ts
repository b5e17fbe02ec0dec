import { type ChildProcess, fork } from "node:child_process";
import type {
  Assignment,
  Order,
  OrderMessage,
  Orders,
  Phase,
  ReplyMessage,
  Report,
} from "./protocol.ts";

type Waiting = {
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** One process that asks. */
class ClientProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #orders = 0;
  #said = "";

  constructor(program: URL) {
    this.#child = fork(program, { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: [] });
    this.#child.stderr?.setEncoding("utf8").on("data", (text) => {
      this.#said += text;
    });
    this.#child.on("message", (message) => this.#hear(message as ReplyMessage));
    this.#child.on("exit", (code, signal) =>
      this.#end(`ended by ${code ?? signal}: ${this.#said}`),
    );
  }

  order<O extends Order>(order: O, detail: Orders[O]["detail"]): Promise<Orders[O]["reply"]> {
    const message: OrderMessage = { id: this.#orders++, order, detail };
    return new Promise((resolve, reject) => {
      this.#waiting.set(message.id, { resolve: resolve as Waiting["resolve"], reject });
      if (this.#child.connected) this.#child.send(message);
      else this.#end("the client process has ended");
    });
  }

  /** What it has complained of, on its own account or a client's: a server's log would be full of it. */
  get said(): readonly string[] {
    return this.#said === "" ? [] : [this.#said];
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #hear({ id, reply, error }: ReplyMessage): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(reply);
    else waiting?.reject(new Error(error));
  }

  #end(why: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(why));
    this.#waiting.clear();
  }
}

/** Real processes, each with a client of its own, that ask at the same time. */
export class ClientProcesses implements Disposable {
  readonly #processes: readonly ClientProcess[];

  private constructor(processes: readonly ClientProcess[]) {
    this.#processes = processes;
  }

  /** Starts a process for each assignment, and waits until all are connected. */
  static async start(program: URL, assignments: readonly Assignment[]): Promise<ClientProcesses> {
    const processes = new ClientProcesses(assignments.map(() => new ClientProcess(program)));
    try {
      await processes.#each((process, at) =>
        process.order("connect", assignments[at] as Assignment),
      );
      return processes;
    } catch (error) {
      processes[Symbol.dispose]();
      throw error;
    }
  }

  /** From now on they ask. */
  async ask(): Promise<void> {
    await this.#each((process) => process.order("start", undefined));
  }

  /** From now on, all is counted under another name; the first is "before". */
  async enter(phase: string): Promise<void> {
    await this.#each((process) => process.order("enter", phase));
  }

  /** They ask no more; waits until what they held has been given back, as far as they can tell. */
  async rest(): Promise<void> {
    await this.#each((process) => process.order("rest", undefined));
  }

  reports(): Promise<Report[]> {
    return this.#each((process) => process.order("report", undefined));
  }

  /** What each has counted under a name so far. */
  async phases(name: string): Promise<Phase[]> {
    return (await this.reports()).map(({ phases }) => phases[name] as Phase);
  }

  /** Ends all asking, once every ask has its answer, and tells what was counted. */
  stop(): Promise<Report[]> {
    return this.#each(async (process) => {
      const report = await process.order("stop", undefined);
      return { ...report, errors: [...report.errors, ...process.said] };
    });
  }

  [Symbol.dispose](): void {
    for (const process of this.#processes) process.kill();
  }

  #each<T>(order: (process: ClientProcess, at: number) => Promise<T>): Promise<T[]> {
    return Promise.all(this.#processes.map(order));
  }
}
