import type { Server } from "node:http";

/** Where hits are counted: in the process where no Redis is named. */
export type Place = { readonly redis?: string };

/** A framework, with nothing before its handlers, or with a limiter. All servers have two routes. */
export type Framework = {
  /** The limiter that its users mostly choose. */
  readonly peer: string;
  bare(): Promise<Server>;
  /** With `spillway`. */
  spillway(place: Place): Promise<Server>;
  /** With the peer. */
  usual(place: Place): Promise<Server>;
  /** By the name of its row: one of the two again, without something that the other doesn't do. */
  readonly likened?: Readonly<Record<string, () => Promise<Server>>>;
};

/** What stands before the handlers. */
export type Limiter = "bare" | "spillway" | "usual";

/** Which server a process is to be; `limiter` may be the name of a row of `likened`. */
export type Order = Place & { readonly framework: string; readonly limiter: string };
