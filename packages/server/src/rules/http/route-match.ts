/** Parses the conditions of a route from one line. */
import type { HttpMatch } from "./items.ts";
import { MOST_SEGMENTS } from "./normal-path.ts";
import { templateOf } from "./path-template.ts";

const METHODS = /^[A-Z]+(?:,[A-Z]+)*$/;

/**
 * Parses methods and a path, such as `POST,PUT /users/{id}` or `/api/*`; either may be left out.
 * Undefined if the line is something else. Pure.
 *
 * `/api/*` is for `/api` and all paths below.
 */
export function routeMatch(line: string): HttpMatch | undefined {
  const words = line.split(/\s+/).filter((word) => word !== "");
  const methods = METHODS.test(words[0] ?? "") ? words.shift()?.split(",") : undefined;
  const [path, ...others] = words;
  if (others.length > 0) return undefined;
  const match = { methods, path: undefined, prefix: undefined, hosts: undefined };
  if (path === undefined) return match;
  const isPrefix = path.endsWith("/*");
  const template = templateOf(isPrefix ? path.slice(0, -2) || "/" : path);
  if (template === undefined || template.segments.length > MOST_SEGMENTS) return undefined;
  return { ...match, [isPrefix ? "prefix" : "path"]: template };
}

/** Whether every request fulfils the conditions. Pure. */
export function matchesEvery({ methods, path, prefix, hosts }: HttpMatch): boolean {
  const isWide = prefix === undefined || prefix.segments.length === 0;
  return methods === undefined && path === undefined && hosts === undefined && isWide;
}
