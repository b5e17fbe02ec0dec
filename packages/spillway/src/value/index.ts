/** What is left of a limit, for a page: read on the server, counted on in the browser. */
export type { ValueFetch, ValueResponse } from "./ask.ts";
export type { LimitView } from "./counting.ts";
export {
  type ValueOf,
  type ValueRequest,
  type ValueRoute,
  valueHandler,
  valueSnapshot,
} from "./handler.ts";
export type { SentState, ValueSnapshot } from "./snapshot.ts";
export { ValueSource, type ValueSourceOptions, valueSource } from "./source.ts";
