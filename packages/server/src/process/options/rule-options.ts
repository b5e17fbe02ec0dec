/** Options for how rule files are read. `check` reads them as `serve` does. */
import type { Option } from "commander";
import type { ParseOptions } from "../../rules/index.ts";
import { switchOf } from "./option.ts";

export type RuleOptions = { readonly mergeDomains?: boolean };

export function ruleOptions(): readonly Option[] {
  return [
    switchOf({
      flags: "--merge-domains",
      about: "allow several files to share a domain; their descriptors are merged",
      env: "MERGE_DOMAIN_CONFIG",
    }),
  ];
}

/** Returns how rule files are read. Pure. */
export function parseOptionsOf({ mergeDomains = false }: RuleOptions): ParseOptions {
  return { mergeDomains };
}
