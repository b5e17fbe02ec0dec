export type { OpenedStore } from "./contracts.ts";
export { type EntryStore, MOST_KEPT, openEntries } from "./entries/index.ts";
export { openStore } from "./open-store.ts";
