/** Shows what is left of a limit on a page: read on the server, kept up to date in the browser. */

export type { LimitView } from "./counting.ts";
export { type ValueRoute, valueHandler } from "./handler.ts";
export type { ValueSnapshot } from "./snapshot.ts";
export { ValueSource, type ValueSourceOptions, valueSource } from "./source.ts";
export { valueSnapshot } from "./value-snapshot.ts";
