/** The JSON Schema agrees with the parser, as far as a schema can. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseRules, RulesError, ruleFileSchema } from "../../src/index.ts";
import { OWN } from "../transports/envoy/cases.ts";

const require = createRequire(import.meta.url);
const { default: Ajv } = require("ajv/dist/2020.js");
const validate = new Ajv({ allowUnionTypes: true, strict: true }).compile(ruleFileSchema());

const FIXTURES = new URL("../fixtures/", import.meta.url);

/** What a schema can't see: other files, what stands beside a field, sums, and YAML itself. */
const BEYOND = new Set([
  "bad-also",
  "bad-match",
  "bad-replaces",
  "bad-ttl",
  "bad-yaml",
  "duplicate-descriptor",
  "duplicate-domain",
  "duplicate-domain.first",
  "duplicate-field",
  "field-of-other-kind",
  "inexact-limit",
  "no-penalties",
  "nothing-to-share",
  "too-deep",
  "too-many-fields",
  "unit-and-period",
  "unlimited-with-limit",
]);

/** What an editor's validator says of a file; YAML that can't be read is its own matter. */
function isValid(text: string): boolean {
  return validate(parse(text, { uniqueKeys: false, strict: false, maxAliasCount: -1 }));
}

describe("the schema of rule files", () => {
  it.each(
    readdirSync(FIXTURES)
      .map((name) => name.replace(".yaml", ""))
      .filter((name) => !BEYOND.has(name)),
  )("finds %s", (name) => {
    const text = readFileSync(new URL(`${name}.yaml`, FIXTURES), "utf8");
    expect(() => parseRules([{ name, text }])).toThrow(RulesError);
    expect(isValid(text)).toBe(false);
  });

  it("takes what the parser takes", () => {
    for (const name of ["rules", "proxies/rules"]) {
      const example = new URL(`../../../../examples/${name}.yaml`, import.meta.url);
      expect(isValid(readFileSync(example, "utf8"))).toBe(true);
    }
    for (const { files } of Object.values(OWN.configs)) {
      for (const file of files) expect(validate(file), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});
