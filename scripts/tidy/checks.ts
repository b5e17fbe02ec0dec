import { ambient } from "./ambient.ts";
import { boundaries } from "./boundaries.ts";
import { corePage } from "./core-page.ts";
import { cycles } from "./cycles.ts";
import { errorCodes } from "./error-codes.ts";
import { exports } from "./exports.ts";
import type { Check } from "./finding.ts";
import { floors } from "./floors.ts";
import { forbiddenText } from "./forbidden-text.ts";
import { glossary } from "./glossary.ts";
import { hooks } from "./hooks.ts";
import { indexPage } from "./index-page.ts";
import { lengths } from "./lengths.ts";
import { links } from "./links.ts";
import { lockfile } from "./lockfile.ts";
import { numbers } from "./numbers.ts";
import { portable } from "./portable.ts";
import { typeNames } from "./type-names.ts";
import { words } from "./words.ts";

/** What the structure test checks, in the order in which it reports. */
export const checks: readonly Check[] = [
  floors,
  boundaries,
  cycles,
  ambient,
  portable,
  errorCodes,
  exports,
  corePage,
  lengths,
  numbers,
  links,
  indexPage,
  forbiddenText,
  lockfile,
  hooks,
  typeNames,
  glossary,
  words,
];
