/** The JSON of `/v1/rules`, as JSON Schema. */
import { problemsSchema } from "../responses.ts";

const flag = { type: "string", enum: ["true", "false"] } as const;

/** What stands behind the path. */
export const rulesQuerySchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    file: { type: "string", description: "Which file; may be left out where there is one" },
    write: { ...flag, description: "Whether to write the file too. Default: false" },
    check: { ...flag, description: "Whether only to say what would change. Default: false" },
  },
} as const;

const summary = {
  limit: { type: "string" },
  allows: { type: "string", description: "In words" },
} as const;

const limits = {
  type: "array",
  items: { type: "object", required: ["limit", "allows"], properties: summary },
} as const;

/** What runs. */
export const runningRulesSchema = {
  $id: "RunningRules",
  type: "object",
  required: ["files", "limits"],
  properties: {
    files: {
      type: "array",
      items: {
        type: "object",
        required: ["file", "posted", "text"],
        properties: {
          file: { type: "string" },
          posted: { type: "boolean", description: "The text came by this API, and is not written" },
          text: { type: "string" },
        },
      },
    },
    limits,
    trouble: {
      type: "string",
      description: "What is wrong with the files, where they can't be used",
    },
  },
} as const;

/** What has changed. */
export const changedRulesSchema = {
  $id: "ChangedRules",
  type: "object",
  required: ["file", "applied", "written", "added", "changed", "removed", "warnings"],
  properties: {
    file: { type: "string" },
    applied: { type: "boolean" },
    written: { type: "boolean" },
    added: limits,
    changed: {
      type: "array",
      items: {
        type: "object",
        required: ["limit", "allows", "before"],
        properties: { ...summary, before: { type: "string" } },
      },
    },
    removed: limits,
    warnings: problemsSchema,
  },
} as const;
