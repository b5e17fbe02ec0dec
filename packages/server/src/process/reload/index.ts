export { parseAside } from "./parse-aside.ts";
export { type Reloading, type RulesUser, watchRules } from "./reload.ts";
