import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * A program in a process of its own, which is given an errand in JSON, says `r` when it is ready, and
 * begins when it is told anything. What it has said is true even if it is killed.
 */
export class Child {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  #said = "";
  #complaint = "";

  constructor(program: URL, errand: object) {
    this.#child = spawn(process.execPath, [fileURLToPath(program), JSON.stringify(errand)]);
    this.#ended = once(this.#child, "close");
    this.#child.stdout?.setEncoding("utf8").on("data", (text) => {
      this.#said += text;
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text) => {
      this.#complaint += text;
    });
  }

  get said(): string {
    return this.#said;
  }

  /** Waits until it has its connection. */
  ready(): Promise<void> {
    return this.until(() => this.#said.startsWith("r"));
  }

  /** Waits until it has said something. */
  hasSaid(words: string): Promise<void> {
    return this.until(() => this.#said.includes(words));
  }

  /** Tells it to begin, or to go on. */
  begin(): void {
    this.#child.stdin?.write("go");
  }

  /** Tells it that nothing more will be said: it is to end. */
  end(): void {
    this.#child.stdin?.end();
  }

  /** Kills it as soon as something is so of what it has said. */
  async killWhen(isSo: () => boolean): Promise<void> {
    await this.until(isSo);
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  /** Stops it for a while, wherever it is. */
  async suspendFor(ms: number, pause: (ms: number) => Promise<unknown>): Promise<void> {
    this.#child.kill("SIGSTOP");
    await pause(ms);
    this.#child.kill("SIGCONT");
  }

  /** Waits until it has ended by itself. @throws Error where it failed */
  async done(): Promise<void> {
    const [code] = await this.#ended;
    if (code !== 0) throw new Error(`a process failed: ${this.#complaint}`);
  }

  /** Waits until something is so of what it has said. @throws Error where it ends before */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      const said = once(this.#child.stdout as NodeJS.ReadableStream, "data");
      await Promise.race([said, this.#ended]);
      if (this.#child.exitCode !== null) throw new Error(`a process ended: ${this.#complaint}`);
    }
  }
}

/** Lets so many begin together, once all are ready. */
export async function beginTogether<C extends Child>(
  children: readonly C[],
): Promise<readonly C[]> {
  await Promise.all(children.map((child) => child.ready()));
  for (const child of children) child.begin();
  return children;
}
