export { parseAside } from "./parse-aside.ts";
export { type Reloading, watchRules } from "./reload.ts";
