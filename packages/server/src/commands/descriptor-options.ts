/** Options that name the budgets of a request. */
import { InvalidArgumentError, Option } from "commander";
import type { DescriptorEntry } from "../rules/index.ts";

export type DescriptorOptions = {
  readonly domain: string;
  readonly descriptor: DescriptorList;
};

type DescriptorList = readonly (readonly DescriptorEntry[])[];

/** Creates `--domain` and `--descriptor`, which are both required. */
export function descriptorOptions(): readonly Option[] {
  return [domainOption().makeOptionMandatory(), descriptorOption().makeOptionMandatory()];
}

export function domainOption(): Option {
  return new Option("--domain <domain>", "the domain of the request");
}

export function descriptorOption(): Option {
  const about =
    "a descriptor, such as auth_type=login,user=ann; write \\, for a comma in it. May be repeated";
  return new Option("--descriptor <entries>", about).argParser(addDescriptor);
}

function addDescriptor(text: string, before: DescriptorList | undefined): DescriptorList {
  const entries = text.split(/(?<!\\),/).map((entry) => {
    const [key = "", ...rest] = entry.replaceAll("\\,", ",").split("=");
    if (key !== "") return { key, value: rest.join("=") };
    throw new InvalidArgumentError("Expected entries such as auth_type=login,user=ann.");
  });
  return [...(before ?? []), entries];
}
