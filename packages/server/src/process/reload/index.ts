export { parseAside } from "./parse-aside.ts";
export { type Reloading, watchRuleFiles } from "./reload.ts";
