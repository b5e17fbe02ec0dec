/** Visitors without accounts: signed ids, what they are bound to, and what they cost. */
export type { Challenge, Visitor, VisitorsOptions } from "./contracts.ts";
export { ProofOfWork, type ProofOfWorkOptions, solve } from "./proof-of-work.ts";
export { Visitors } from "./visitors.ts";
