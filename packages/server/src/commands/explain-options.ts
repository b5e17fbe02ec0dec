/** Options of `spillway explain`. */
import type { Option } from "commander";
import {
  type RuleOptions,
  ruleOptions,
  schemaOption,
  storeOption,
} from "../process/options/index.ts";
import type { StoreLocation } from "../process/places/index.ts";
import { type DescriptorOptions, descriptorOptions } from "./descriptor-options.ts";

export type ExplainOptions = RuleOptions &
  DescriptorOptions & {
    readonly store: StoreLocation | undefined;
    readonly schema: string;
  };

export function explainOptions(): readonly Option[] {
  return [
    ...descriptorOptions(),
    storeOption({ about: "print what is left there without taking anything" }),
    schemaOption(),
    ...ruleOptions(),
  ];
}
