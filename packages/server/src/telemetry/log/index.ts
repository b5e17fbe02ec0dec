/** The service's log, for its operator. */
export { jsonLog } from "./json-log.ts";
export { consoleLog, type LogFields, named, type ServiceLogger } from "./log.ts";
export { memoryLog, watchMemory } from "./memory-log.ts";
export { RefusalLog } from "./refusal-log.ts";
export { ThrottledLog } from "./throttled-log.ts";
export { transportLog } from "./transport-log.ts";
export { UnknownKeyLog } from "./unknown-key-log.ts";
