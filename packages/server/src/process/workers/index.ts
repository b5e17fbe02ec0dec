export { pageOfAll } from "./numbers.ts";
export { serveByWorkers } from "./primary.ts";
export { aloneRole, type ProcessRole, type RulesKeeper } from "./role.ts";
export { failAsWorker, isWorker, workerRole } from "./worker.ts";
