import type { FastifyReply } from "fastify";
import type { Decision, Reason } from "spillway";
import { retryAfterHeader } from "./retry-after.ts";

/** 429 where the caller has to slow down; 503 where the caller has done nothing. */
const STATUS: { readonly [R in Reason]: 429 | 503 } = {
  limited: 429,
  "too large": 429,
  blocked: 429,
  shed: 503,
  unavailable: 503,
};

/** Gives an answer the status of a refusal, and says when to come back. */
export function refuse(reply: FastifyReply, { reason = "limited", retryAfter }: Decision): void {
  reply.code(STATUS[reason]).headers(retryAfterHeader(retryAfter));
}
