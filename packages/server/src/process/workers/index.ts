export { pageOfAll } from "./numbers.ts";
export { serveByWorkers } from "./primary.ts";
export { aloneRole, type Role, type RulesKeeper } from "./role.ts";
export { failAsWorker, isWorker, workerRole } from "./worker.ts";
