/** Visitors without a name: signed ids, what they are bound to, and what they cost. */
export type {
  Challenge,
  ProofRequest,
  Visitor,
  VisitorRequest,
  VisitorsOptions,
} from "./contracts.ts";
export type { CookieOptions } from "./cookies.ts";
export type { SigningKey, SigningKeys } from "./key-ring.ts";
export { ProofOfWork, type ProofOfWorkOptions, solve } from "./proof-of-work.ts";
export { Visitors } from "./visitors.ts";
