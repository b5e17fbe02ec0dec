/** The JSON of `/v1/rules`, as JSON Schema. */
import { closed, described, flag, list, open, text } from "../json-schema.ts";
import { problemsSchema } from "../responses.ts";

const choice = { ...text, enum: ["true", "false"] } as const;

/** The query behind the path. */
export const rulesQuerySchema = closed({
  file: described("string", "Which file; may be left out where there is one"),
  write: { ...choice, description: "Whether to write the file too. Default: false" },
  check: { ...choice, description: "Whether only to say what would change. Default: false" },
});

const summary = { limit: text, allows: described("string", "In words") } as const;
const limits = list(open(summary, ["limit", "allows"]));

const file = open(
  {
    file: text,
    posted: described("boolean", "The text came by this API, and is not written"),
    text,
  },
  ["file", "posted", "text"],
);

/** The rules in use. */
export const runningRulesSchema = {
  $id: "RunningRules",
  ...open(
    {
      files: list(file),
      limits,
      trouble: described("string", "What is wrong with the files, where they can't be used"),
    },
    ["files", "limits"],
  ),
} as const;

/** The difference between the previous rules and the present ones. */
export const changedRulesSchema = {
  $id: "ChangedRules",
  ...open(
    {
      file: text,
      applied: flag,
      written: flag,
      added: limits,
      changed: list(open({ ...summary, before: text }, ["limit", "allows", "before"])),
      removed: limits,
      warnings: problemsSchema,
    },
    ["file", "applied", "written", "added", "changed", "removed", "warnings"],
  ),
} as const;
