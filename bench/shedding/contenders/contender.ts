import type { Shedder } from "spillway/shedding";
import type { Guard } from "../servers/fastify.ts";

/** A way to shed load, set up as its users do it; with neither, everything is taken. */
export type Contender = {
  /** Makes the shedder that the handler of a server without framework asks. */
  readonly makeShedder?: () => Shedder;
  /** Set up before a Fastify route instead. */
  readonly guard?: Guard;
};

/** Milliseconds after which a client gives up, which a contender may know. */
export const DEADLINE = 1000;
