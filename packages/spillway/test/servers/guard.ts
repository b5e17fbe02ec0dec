import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";

/**
 * Notes the number of the latest process, until there is nobody left who could tell another.
 *
 * A server may be halted when that happens; and one that is to end by itself may write a file yet.
 */
const SCRIPT = `
pid=
while read -r next; do pid=$next; done
if [ -n "$pid" ]; then
  kill -s "$2" -- "-$pid"
  kill -s CONT -- "-$pid"
fi
[ -z "$3" ] || umount -l -- "$1"
[ -z "$1" ] || rm -rf -- "$1" || { sleep 10; rm -rf -- "$1"; }
`;

export type Guarding = {
  /** What ends the server: one whose children lead groups of their own has to end them itself. */
  readonly signal?: "KILL" | "QUIT";
  /** Whether the directory is a disk that was mounted. */
  readonly mounted?: boolean;
};

/**
 * Kills a server and removes its directory when this process has ended, in whatever way.
 *
 * It is a process of its own that waits for the end of its input. An "exit" hook would not do: none
 * runs when a signal ends the process, which is how a test runner ends a worker that hangs.
 */
export class Guard {
  readonly #process: ChildProcess;

  constructor(directory: string | undefined, { signal = "KILL", mounted }: Guarding = {}) {
    const args = [directory ?? "", signal, mounted ? "mounted" : ""];
    this.#process = spawn("sh", ["-c", SCRIPT, "spillway-guard", ...args], {
      // A group of its own: Ctrl-C, meant for the tests, must not end it first.
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.#process.unref();
    const { stdin } = this.#process;
    if (stdin instanceof Socket) stdin.unref();
    // Somebody killed it, and with it only a precaution.
    stdin?.on("error", () => {});
  }

  /** Kills this process, and its group; undefined for none. */
  watch(pid: number | undefined): void {
    this.#process.stdin?.write(`${pid ?? ""}\n`);
  }

  /** There is nothing left to guard. */
  release(): void {
    this.#process.kill("SIGKILL");
  }
}
