/** The JSON of `/v1`, as JSON Schema: `/openapi.json` shows exactly what is checked. */
import { remoteRequestSchema, remoteResponseSchema } from "./command-schemas.ts";
import {
  blockSchema,
  keySchema,
  leaseRequestSchema,
  requestSchema,
  settleSchema,
} from "./request-schemas.ts";
import { leaseResponseSchema, responseSchema, valuesSchema } from "./response-schemas.ts";

/** All named schemas. */
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
