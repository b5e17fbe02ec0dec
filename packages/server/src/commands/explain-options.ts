/** Options of `spillway explain`. */
import type { Command, Option } from "commander";
import {
  type RuleOptions,
  ruleOptions,
  schemaOption,
  storeOption,
} from "../process/options/index.ts";
import type { StoreLocation } from "../process/places/index.ts";
import { type DescriptorOptions, descriptorOption, domainOption } from "./descriptor-options.ts";
import { type RequestOptions, requestOptions } from "./request-options.ts";

export type ExplainOptions = RuleOptions &
  Partial<DescriptorOptions> &
  RequestOptions & {
    readonly store: StoreLocation | undefined;
    readonly schema: string;
  };

export function explainOptions(): readonly Option[] {
  return [
    domainOption(),
    descriptorOption(),
    ...requestOptions(),
    storeOption({ about: "print what is left there without taking anything" }),
    schemaOption(),
    ...ruleOptions(),
  ];
}

/** Ends with a usage error unless the options name descriptors, or a request that has some. */
export function checkExplained(
  { domain, descriptor, request }: ExplainOptions,
  command: Command,
): void {
  if (request !== undefined) return;
  if (descriptor === undefined) {
    command.error(
      "error: required option '--descriptor <entries>' or '--request <line>' not given",
    );
  }
  if (domain === undefined) command.error("error: required option '--domain <domain>' not given");
}
