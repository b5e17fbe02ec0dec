/** Rule files: reads YAML into rules, and finds the rule that a request's entries meet. */
export { checkKinds, type ProgramLimits, programLimits, rulesOfDomain } from "./program-limits.ts";
export * from "./public.ts";
