/** Options of `spillway migrate`, also read from the environment. */
import { Option } from "commander";
import { schemaOption, storeOption } from "../process/options/index.ts";
import type { StoreLocation } from "../process/places/index.ts";

export type MigrateOptions = {
  readonly store?: StoreLocation;
  readonly schema: string;
  readonly unlogged?: true;
  readonly print?: true;
};

/** Creates the options. */
export function migrateOptions(): readonly Option[] {
  return [
    storeOption({ about: "the database: postgres://user:password@host:port/database" }),
    schemaOption(),
    new Option(
      "--unlogged",
      "keep state out of the write-ahead log: faster, but a crash of the database loses it",
    ),
    new Option("--print", "print the SQL without connecting"),
  ];
}
