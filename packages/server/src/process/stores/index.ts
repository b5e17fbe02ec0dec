export type { OpenedStore } from "./contracts.ts";
export { openStore } from "./open-store.ts";
