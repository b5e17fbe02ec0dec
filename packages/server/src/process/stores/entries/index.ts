export { type EntryStore, MOST_KEPT } from "./contracts.ts";
export { openEntries } from "./open-entries.ts";
