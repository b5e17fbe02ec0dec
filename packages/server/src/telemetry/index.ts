/** What the service tells its operator. */

export { doorLog } from "./door-log.ts";
export { consoleLog, type Log } from "./log.ts";
export { memoryLog, watchMemory } from "./memory-log.ts";
export { type StoreLogOptions, storeLog } from "./store-log.ts";
