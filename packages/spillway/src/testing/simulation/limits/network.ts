import type { Command, Random, Store } from "../../../limits/core/index.ts";
import type { CommandOutcome, Executor } from "../../../stores/index.ts";
import type { Distribution } from "../distributions.ts";
import type { EventLoop } from "../event-loop.ts";
import type { VirtualTime } from "../virtual-time.ts";
import { noteAnswer, noteSent } from "./call.ts";

export type NetworkParts = {
  readonly time: VirtualTime;
  readonly loop: EventLoop;
  readonly random: Random;
};

/** One direction of a connection. */
export type WayOptions = {
  readonly delay: Distribution;
  /** Whether a message that arrives now is delivered. If not, it is lost. */
  readonly isOpen: () => boolean;
};

/**
 * One direction of a connection: delivers messages in order, each after a random delay, or loses
 * them.
 */
export class NetworkLink {
  readonly #parts: NetworkParts;
  readonly #options: WayOptions;
  #last = 0;

  constructor(parts: NetworkParts, options: WayOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  carry(arrive: () => void): void {
    const { time, loop } = this.#parts;
    this.#last = Math.max(this.#last, time.now + this.#delay());
    time.plan({ at: this.#last, call: () => this.#options.isOpen() && loop.deliver(arrive) });
  }

  /**
   * Returns a random delay. If the distribution throws, the run ends: else the error would look
   * like a failure of the store, and calls would be decided without it.
   */
  #delay(): number {
    const { loop, random } = this.#parts;
    try {
      return this.#options.delay(random);
    } catch (error) {
      loop.crash(error);
      return 0;
    }
  }
}

export type RemoteOptions = {
  readonly time: VirtualTime;
  readonly there: NetworkLink;
  readonly back: NetworkLink;
  /** Called for each command that is sent. */
  readonly sent: () => void;
};

/** A memory store behind a simulated network. */
export class RemoteExecutor implements Executor<"later"> {
  readonly timing = "later";
  readonly name: string;
  readonly #store: Store<"now">;
  readonly #options: RemoteOptions;

  constructor(name: string, store: Store<"now">, options: RemoteOptions) {
    this.name = name;
    this.#store = store;
    this.#options = options;
  }

  execute(commands: readonly Command[]): Promise<readonly CommandOutcome[]> {
    const { time, there, back, sent } = this.#options;
    for (const command of commands) {
      sent();
      noteSent(command, time.now);
    }
    return new Promise((resolve) => {
      there.carry(() => {
        const outcomes = commands.map((command) => this.#carryOut(command));
        back.carry(() => resolve(outcomes));
      });
    });
  }

  #carryOut(command: Command): CommandOutcome {
    try {
      const answer = this.#store.execute(command);
      noteAnswer(command, answer, this.#options.time.now);
      return { answer };
    } catch (error) {
      return { error: error as Error };
    }
  }
}
