import { setTimeout as pause } from "node:timers/promises";

const ATTEMPTS = 20;
const PAUSE = 100;

/** Somebody else listens on the port. */
export class PortTaken extends Error {
  override readonly name = "PortTaken";

  constructor(port: number, log: string) {
    super(`Port ${port} is taken. The server said:\n${log}`);
  }

  /** Whether it is what a server complained of. */
  static explains(log: string): boolean {
    return log.includes("Address already in use");
  }
}

/** Launches again while the port is taken: another one, or one that somebody holds for a moment. */
export async function insist<T>(launch: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await launch();
    } catch (error) {
      if (!(error instanceof PortTaken) || left === 1) throw error;
      await pause(PAUSE);
    }
  }
}
