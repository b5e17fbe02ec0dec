/** Options for how rule files are read; `check` reads them as `serve` does. */
import { Option } from "commander";
import type { ParseOptions } from "../rules/index.ts";
import { isOn } from "./envoy-options.ts";

export type RuleOptions = { readonly mergeDomains: boolean };

export function ruleOptions(): readonly Option[] {
  return [new Option("--merge-domains", "let several files have one domain")];
}

/** How rule files are read, by options and environment. Pure. */
export function parseOptionsOf(
  { mergeDomains }: RuleOptions,
  env: Readonly<Record<string, string | undefined>>,
): ParseOptions {
  return { mergeDomains: mergeDomains || isOn(env.MERGE_DOMAIN_CONFIG) };
}
