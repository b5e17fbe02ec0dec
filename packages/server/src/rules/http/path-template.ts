/** Parses the paths of rules. */
import type { PathTemplate } from "./items.ts";
import { readTarget } from "./normal-path.ts";

/** A segment that matches any. */
const VARIABLE = /^\{\w+\}$/;

/** Parses a path with variables, such as `/users/{id}`; undefined if it is none. Pure. */
export function templateOf(text: string): PathTemplate | undefined {
  if (!text.startsWith("/")) return undefined;
  const written = text.slice(1).replace(/\/$/, "");
  const segments = written === "" ? [] : written.split("/").map(segmentOf);
  return segments.some(isBad) ? undefined : Object.freeze({ text, segments });
}

/** No segment in normal spelling is empty. */
const BAD = "";

function isBad(segment: string | undefined): boolean {
  return segment === BAD;
}

/** Returns a segment in normal spelling; undefined for a variable. */
function segmentOf(written: string): string | undefined {
  if (VARIABLE.test(written)) return undefined;
  if (/[{}*?#;\\]/.test(written)) return BAD;
  const escaped = written.replace(/[^\0-\x7f]+/g, (text) => encodeURI(text.toWellFormed()));
  const readings = readTarget(`/${escaped}`)?.readings ?? [];
  const [[only, ...others] = []] = readings;
  return readings.length !== 1 || only === undefined || others.length > 0 ? BAD : only;
}
