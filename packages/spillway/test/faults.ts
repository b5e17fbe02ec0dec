/** What a program's function may do instead of what is expected of it: for tables of functions and faults. */
import { expect, onTestFinished } from "vitest";

/** Milliseconds that functions have in these tests whose answer is needed. */
export const TIMEOUT = 10;

const error = () => new Error("secret of the program");

const rejected = async (turns: Promise<unknown>): Promise<never> => {
  await turns;
  throw error();
};

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const afterItsTime = () => new Promise<void>((resolve) => setTimeout(resolve, 3 * TIMEOUT));

/** A promise as other makers have them: it knows only its `then`. */
function foreign(promise: Promise<unknown>): object {
  // biome-ignore lint/suspicious/noThenProperty: that is what it has
  return { then: (...heard: []) => promise.then(...heard) };
}

/** What each does; `undefined` and another type may be right, as of a listener. */
export const FAULTS = {
  throws: () => {
    throw error();
  },
  "throws what can't be read": () => {
    throw { toString: "x", [Symbol.toPrimitive]: "x" };
  },
  "rejects with nothing": () => Promise.reject(),
  rejects: () => rejected(Promise.resolve()),
  "rejects as a promise of another maker": () => foreign(rejected(Promise.resolve())),
  "rejects late": () => rejected(turn()),
  "rejects after its time": () => rejected(afterItsTime()),
  "never settles": () => new Promise<never>(() => {}),
  "returns undefined": () => undefined,
  "returns another type": () => ({}),
  "promises another type": async () => ({}),
} as const satisfies { readonly [fault: string]: () => unknown };

export type Fault = keyof typeof FAULTS;

/** Which are there. */
export const NAMES = Object.keys(FAULTS) as readonly Fault[];

/** Whether it fails whatever is expected. */
export function fails(fault: Fault): boolean {
  return fault.startsWith("throws") || fault.startsWith("rejects") || fault === "never settles";
}

/** Fails the test where anything rejects that nobody handles: that would end the process. */
export function watchRejections(): { none(): Promise<void> } {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  process.on("unhandledRejection", note);
  process.on("uncaughtException", note);
  onTestFinished(() => {
    process.off("unhandledRejection", note);
    process.off("uncaughtException", note);
  });
  return {
    async none() {
      await afterItsTime();
      await turn();
      await turn();
      expect(rejections).toEqual([]);
    },
  };
}
