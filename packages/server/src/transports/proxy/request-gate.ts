import type { TurnGate } from "../http-api/index.ts";

/** Holds requests while the server stops listening. */
export class RequestGate implements TurnGate {
  #isHeld = false;
  #waiting: (() => void)[] = [];

  /** Calls a function: at once, or when requests are no longer held. */
  pass(proceed: () => void): void {
    if (this.#isHeld) this.#waiting.push(proceed);
    else proceed();
  }

  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    for (const proceed of this.#waiting.splice(0)) proceed();
  }
}
