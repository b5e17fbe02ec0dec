export { parseAside } from "./parse-aside.ts";
export { type Reloading, type RulesUser, watchRuleFiles } from "./reload.ts";
