/** The JSON of `/v1`, as JSON Schema: what is checked is what `/openapi.json` shows. */
import { remoteRequestSchema, remoteResponseSchema } from "./command-schemas.ts";
import {
  blockSchema,
  keySchema,
  leaseRequestSchema,
  requestSchema,
  settleSchema,
} from "./request-schemas.ts";
import { leaseResponseSchema, responseSchema, valuesSchema } from "./response-schemas.ts";

/** All that have a name. */
export const SCHEMAS = [
  requestSchema,
  leaseRequestSchema,
  keySchema,
  settleSchema,
  blockSchema,
  responseSchema,
  leaseResponseSchema,
  valuesSchema,
  remoteRequestSchema,
  remoteResponseSchema,
] as const;
