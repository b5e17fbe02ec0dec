import type { Call } from "./call.ts";

/** A call that somebody waits for. */
export type Pending = {
  readonly call: Call;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
};
