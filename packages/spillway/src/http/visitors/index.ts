/** Identifies visitors without accounts by signed ids. */
export type { Challenge, Visitor, VisitorsOptions } from "./contracts.ts";
export { ProofOfWork, type ProofOfWorkOptions, solve } from "./proof-of-work.ts";
export { Visitors } from "./visitors.ts";
