/** What is left of a limit, for a page: read on the server, counted on in the browser. */

export type { LimitView } from "./counting.ts";
export type { ValueFetch, ValueResponse } from "./fetch-snapshot.ts";
export { type ValueRequest, type ValueRoute, valueHandler } from "./handler.ts";
export type { SentState, ValueSnapshot } from "./snapshot.ts";
export { ValueSource, type ValueSourceOptions, valueSource } from "./source.ts";
export { type ValueOf, valueSnapshot } from "./value-snapshot.ts";
