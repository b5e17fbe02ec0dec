/** The JSON of `/v1/rules`, as JSON Schema. */
import { closed, described, flag, list, open, text } from "../json-schema.ts";
import { problemsSchema } from "../responses.ts";

const choice = { ...text, enum: ["true", "false"] } as const;

/** The query behind the path. */
export const rulesQuerySchema = closed({
  file: described("string", "The file; may be left out if there is only one"),
  write: { ...choice, description: "Whether to write the file too. Default: false" },
  check: { ...choice, description: "Whether only to report what would change. Default: false" },
});

const summary = { limit: text, allows: described("string", "The limit in words") } as const;
const limits = list(open(summary, ["limit", "allows"]));

const file = open(
  {
    file: text,
    posted: described("boolean", "The text was posted and is not written to the file"),
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
      trouble: described("string", "The mistakes in the files, if they can't be used"),
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
      http: list(described("string", "A domain whose http section differs")),
      warnings: problemsSchema,
    },
    ["file", "applied", "written", "added", "changed", "removed", "http", "warnings"],
  ),
} as const;
