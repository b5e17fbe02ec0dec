import { connect, type Socket } from "node:net";
import { LOOPBACK } from "./ports.ts";
import { endOfCommand } from "./reply.ts";

/** Script calls arrive again up to so many milliseconds later: evenly, and out of their order. */
const LATEST = 1000;
const STRIDE = 370;

/** As a list begins whose first part is the name. */
const SCRIPT_CALL = /^\*\d+\r\n\$\d+\r\neval/i;

/** Sends script calls to a server that it has had already, and ignores what it answers. */
export class Repeater {
  /** How many were sent. */
  count = 0;
  readonly #target: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  #socket: Socket | undefined;
  #calls = 0;
  /** One call in so many is sent again. */
  every = 1;

  constructor(target: number) {
    this.#target = target;
  }

  /** Hears what a client says on one connection, from its beginning. */
  listener(): (chunk: Buffer) => void {
    let bytes: Buffer = Buffer.alloc(0);
    return (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let end = endOfCommand(bytes); end !== undefined; end = endOfCommand(bytes)) {
        this.#hear(bytes.subarray(0, end));
        bytes = bytes.subarray(end);
      }
    };
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket?.destroy();
  }

  #hear(command: Buffer): void {
    if (!SCRIPT_CALL.test(command.toString("latin1", 0, 32))) return;
    this.#calls++;
    if (this.#calls % this.every > 0) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#send(command);
      },
      (this.#calls * STRIDE) % LATEST,
    );
    this.#timers.add(timer);
  }

  #send(command: Buffer): void {
    this.#socket ??= connect({ port: this.#target, host: LOOPBACK, noDelay: true })
      .on("error", () => {})
      .resume();
    this.#socket.write(command);
    this.count++;
  }
}
