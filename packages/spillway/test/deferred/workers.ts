import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Errand } from "./worker-process.ts";

const PROGRAM = fileURLToPath(new URL("./worker-process.ts", import.meta.url));

/** How late a line of the book may be: by process and job, in milliseconds. */
export type Delays = ReadonlyMap<string, number>;

/** A worker in a process of its own. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  #said = "";
  #wasHalted = false;

  constructor(errand: Errand) {
    this.#child = spawn(process.execPath, [PROGRAM, JSON.stringify(errand)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text) => {
      this.#said += text;
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get isKilled(): boolean {
    return this.#child.signalCode === "SIGKILL";
  }

  /** Whether its store was away while it did a job. */
  hasFailed(id: string): boolean {
    return this.#said.includes(`broken ${id}`);
  }

  get starts(): number {
    return this.#said.split("\nstart ").length - 1;
  }

  /** By pid and id of a job, how long its line of the book took, at most. */
  get delays(): readonly (readonly [string, number])[] {
    return this.#said
      .split("\n")
      .filter((line) => line.startsWith("start "))
      .map((line) => {
        const [, id, took] = line.split(" ");
        return [`${this.pid} ${id}`, Number(took)] as const;
      });
  }

  /** Waits until something is so of what it has said. */
  async until(isSo: (worker: this) => boolean): Promise<void> {
    while (!isSo(this)) {
      await Promise.race([
        once(this.#child.stdout as NodeJS.ReadableStream, "data"),
        once(this.#child, "exit").then(() => {
          throw new Error("a worker has ended by itself");
        }),
      ]);
    }
  }

  ready(): Promise<void> {
    return this.until(() => this.#said.startsWith("ready"));
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }

  get wasHalted(): boolean {
    return this.#wasHalted;
  }

  /** Halts it for so many milliseconds: it does nothing then, and knows nothing of it. */
  async halt(ms: number): Promise<void> {
    this.#wasHalted = true;
    this.#child.kill("SIGSTOP");
    await sleep(ms);
    this.#child.kill("SIGCONT");
  }
}

/** Starts so many, and waits until they take jobs. */
export async function startWorkers(count: number, errand: Errand): Promise<WorkerProcess[]> {
  const workers = Array.from({ length: count }, () => new WorkerProcess(errand));
  await Promise.all(workers.map((worker) => worker.ready()));
  return workers;
}

/** Which of two has started so many jobs first, and the other one: either may have taken nearly all. */
export async function firstToStart(
  starts: number,
  workers: readonly WorkerProcess[],
): Promise<readonly [WorkerProcess, WorkerProcess]> {
  const [one, other] = workers as readonly [WorkerProcess, WorkerProcess];
  const hasStarted = (worker: WorkerProcess) => worker.starts >= starts;
  await Promise.race([one.until(hasStarted), other.until(hasStarted)]);
  return hasStarted(one) ? [one, other] : [other, one];
}
