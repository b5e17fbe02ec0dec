/** What passes between the page and its workers. */
import type { LeastNumber, PlayedColumns } from "../model/index.ts";

/** A setup to play, with its number. */
export type Order<Setup> = { readonly number: number; readonly setup: Setup };

/** An answer to the setup of that number, of which there may be several; or what went wrong. */
export type Message<Answer> = { readonly number: number } & (
  | { readonly answer: Answer }
  | { readonly problem: string }
);

/** The plays of a setup, one for each limit, and how long they took in milliseconds. */
export type PlayAnswer =
  | {
      readonly plays: readonly PlayedColumns[];
      /** Instants that have a decision, in order. */
      readonly instants: Float64Array<ArrayBuffer>;
      readonly took: number;
    }
  | { readonly least: readonly (LeastNumber | undefined)[] };
