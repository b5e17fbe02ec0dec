/** What the service tells its operator. */
export { type StoreLogOptions, storeLog } from "./store-log.ts";
