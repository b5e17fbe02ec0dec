export type { OpenStore } from "./contracts.ts";
export { openStore } from "./open-store.ts";
