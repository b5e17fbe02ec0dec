/** What the service tells its operator. */
export { consoleLog, type Log } from "./log.ts";
export { type StoreLogOptions, storeLog } from "./store-log.ts";
