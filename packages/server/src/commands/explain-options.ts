/** Options of `spillway explain`. */
import { InvalidArgumentError, Option } from "commander";
import {
  type RuleOptions,
  ruleOptions,
  schemaOption,
  storeOption,
} from "../process/options/index.ts";
import type { StoreLocation } from "../process/places/index.ts";
import type { DescriptorEntry } from "../rules/index.ts";

export type ExplainOptions = RuleOptions & {
  readonly domain: string;
  readonly descriptor: readonly (readonly DescriptorEntry[])[];
  readonly store: StoreLocation | undefined;
  readonly schema: string;
};

export function explainOptions(): readonly Option[] {
  return [
    new Option("--domain <domain>", "the domain of the request").makeOptionMandatory(),
    new Option(
      "--descriptor <entries>",
      "a descriptor, such as auth_type=login,user=ann; write \\, for a comma in it. May " +
        "be repeated",
    )
      .argParser(addDescriptor)
      .makeOptionMandatory(),
    storeOption({ about: "print what is left there without taking anything" }),
    schemaOption(),
    ...ruleOptions(),
  ];
}

type DescriptorList = readonly (readonly DescriptorEntry[])[];

function addDescriptor(text: string, before: DescriptorList | undefined): DescriptorList {
  const entries = text.split(/(?<!\\),/).map((entry) => {
    const [key = "", ...rest] = entry.replaceAll("\\,", ",").split("=");
    if (key !== "") return { key, value: rest.join("=") };
    throw new InvalidArgumentError("Expected entries such as auth_type=login,user=ann.");
  });
  return [...(before ?? []), entries];
}
