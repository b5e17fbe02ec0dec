/** Options for where state lives. */
import type { Option } from "commander";
import { optionOf } from "./option.ts";
import { toStorePlace } from "./store/store-option.ts";

const SCHEMA = {
  flags: "--schema <name>",
  about: "the schema that keeps state in Postgres",
  env: "SPILLWAY_SCHEMA",
  usual: "spillway",
};

/** `--store`. */
export function storeOption(about: string, usual?: string): Option {
  return optionOf({ flags: "--store <store>", about, env: "SPILLWAY_STORE", usual }).argParser(
    toStorePlace,
  );
}

/** `--schema`. The store checks whether it is a valid name. */
export function schemaOption(): Option {
  return optionOf(SCHEMA);
}
