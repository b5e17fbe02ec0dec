/** What all kinds of clients have in common. */
import type { Arrival } from "../arrivals.ts";

/** Called once: with the status, or `undefined` where the connection broke before there was one. */
export type OnAnswer = (status: number | undefined) => void;

/** A request on its way. */
export type Flight = {
  /** Nobody waits for the answer any longer. */
  abort(): void;
};

/** Whoever sends requests to one server; closes all its connections at the end of its scope. */
export type Clients = Disposable & {
  /** Opens so many connections before they are needed. */
  open(count: number): Promise<void>;
  /** Sends a request; `undefined` where no connection is free and there may be no more. */
  send(arrival: Omit<Arrival, "due">, onAnswer: OnAnswer): Flight | undefined;
};
