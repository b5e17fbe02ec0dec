/** Options for the store of all state. */
import type { Option } from "commander";
import { toStorePlace } from "../places/index.ts";
import { type Description, optionOf } from "./option.ts";

/** `--store`. */
export function storeOption({ about, usual }: Pick<Description, "about" | "usual">): Option {
  const flags = "--store <store>";
  return optionOf({ flags, about, env: "SPILLWAY_STORE", usual, read: toStorePlace });
}

/** `--schema`. The store checks whether it is a valid name. */
export function schemaOption(): Option {
  return optionOf({
    flags: "--schema <name>",
    about: "the schema that keeps state in Postgres",
    env: "SPILLWAY_SCHEMA",
    usual: "spillway",
  });
}
