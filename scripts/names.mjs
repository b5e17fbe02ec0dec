/**
 * The names of the packages, as their `package.json` say. Whatever needs one takes it from here.
 *
 * `npm run rename` changes them everywhere. Plain JavaScript: it runs before an install.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./setup/places.mjs";

/** The library, as programs import it. */
export const LIBRARY = nameIn("spillway");

/** The service, which also has the command `spillway`. */
export const SERVER = nameIn("server");

function nameIn(folder) {
  return JSON.parse(readFileSync(join(ROOT, "packages", folder, "package.json"), "utf8")).name;
}
