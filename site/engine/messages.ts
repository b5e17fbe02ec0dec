/** What workers send to the page, for each setup that the page sends to them. */
import type { LeastNumber, PlayedColumns } from "../model/index.ts";

/** Any number of answers, then "done"; or what went wrong. */
export type Message<Answer> =
  | { readonly answer: Answer }
  | { readonly problem: string }
  | { readonly done: true };

/** The plays of a setup, one for each limit, and how long they took in milliseconds. */
export type PlayAnswer =
  | { readonly plays: readonly PlayedColumns[]; readonly took: number }
  | { readonly least: readonly (LeastNumber | undefined)[] };
