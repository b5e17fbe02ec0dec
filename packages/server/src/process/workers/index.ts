export { pageOfAll } from "./numbers.ts";
export { serveByWorkers } from "./primary.ts";
export { type AdminRole, aloneRole, type ProcessRole, type RulesKeeper } from "./role.ts";
export { failAsWorker, isWorker, workerRole } from "./worker.ts";
