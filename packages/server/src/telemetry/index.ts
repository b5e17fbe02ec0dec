/** What the service logs for its operator. */

export { consoleLog, type Log } from "./log.ts";
export { memoryLog, watchMemory } from "./memory-log.ts";
export { type StoreLogOptions, storeLog } from "./store-log.ts";
export { transportLog } from "./transport-log.ts";
