/** The arithmetic of limits: pure steps, for those who write a store. */
export { adopt, isAhead, open, rewind } from "./adopt.ts";
export { anchorOf, hash } from "./anchor.ts";
export { decide, resetAfter, tell, untaken } from "./decide.ts";
export { algorithms } from "./kinds.ts";
export { EXACT } from "./parts.ts";
export { planFor } from "./plan.ts";
