/** Options that bound the memory and connections that clients can use. */
import { InvalidArgumentError, type Option } from "commander";
import { optionOf } from "./option.ts";
import { toWhole } from "./readers.ts";

export type BoundOptions = {
  /** Undefined: derived from the available memory. */
  readonly maxKeys: number | undefined;
  readonly maxConnections: number;
  readonly allowOrigin: readonly string[] | undefined;
};

/** Creates the options. Each overrides its environment variable. */
export function boundOptions(): readonly Option[] {
  return [
    ...resourceOptions(),
    optionOf({
      flags: "--allow-origin <origins>",
      about:
        "origins whose web pages may call, such as https://shop.example, separated by commas; * " +
        "for all",
      env: "SPILLWAY_ALLOW_ORIGIN",
      read: toOrigins,
    }),
  ];
}

/** Creates the options for keys and connections. */
export function resourceOptions(): readonly Option[] {
  return [
    optionOf({
      flags: "--max-keys <number>",
      about: "the most keys in a store in memory. Default: as many as memory allows",
      env: "SPILLWAY_MAX_KEYS",
      read: toWhole({ least: 1, most: 10_000_000 }),
    }),
    optionOf({
      flags: "--max-connections <number>",
      about: "the most open connections; further ones are closed on arrival",
      env: "SPILLWAY_MAX_CONNECTIONS",
      usual: 10_000,
      read: toWhole({ least: 1, most: 1_000_000 }),
    }),
  ];
}

function toOrigins(text: string): readonly string[] {
  const origins = text.split(",").map((origin) => origin.trim());
  for (const origin of origins) {
    if (origin === "*" || (URL.canParse(origin) && new URL(origin).origin === origin)) continue;
    throw new InvalidArgumentError(
      "Expected origins such as https://shop.example,http://localhost:3000, or * for all.",
    );
  }
  return origins;
}
