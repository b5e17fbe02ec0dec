/** What the page and the worker send to each other. */
import type { LeastNumber, PlayedColumns, Setup } from "../model/index.ts";

/** A setup to play. Only the answer to the latest number is shown. */
export type PlayRequest = { readonly number: number; readonly setup: Setup };

/** The plays of a setup, one for each limit, and how long they took in milliseconds. */
export type PlayAnswer = { readonly number: number } & (
  | { readonly plays: readonly PlayedColumns[]; readonly took: number }
  | { readonly least: readonly (LeastNumber | undefined)[] }
  | { readonly problem: string }
);
