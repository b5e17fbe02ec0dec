/** Finds the descriptors of a request by the items of an `http` section. All functions are pure. */
import type { DescriptorEntry } from "../match.ts";
import { type Claims, entryOf } from "./entry.ts";
import type { HttpAction, HttpItem, HttpMatch, JwtClaimsAction, PathTemplate } from "./items.ts";
import type { NormalRequest } from "./request-head.ts";

/** A descriptor, and the item that made it. */
export type ItemDescriptor = {
  readonly item: HttpItem;
  readonly entries: readonly DescriptorEntry[];
};

const NO_CLAIMS: Claims = new Map();

/** Returns the actions for which the token of a request has to be verified. */
export function claimsNeeded(
  items: readonly HttpItem[],
  request: NormalRequest,
): readonly JwtClaimsAction[] {
  return itemsOfTokens(items)
    .filter(({ match }) => isFor(match, request))
    .flatMap(({ actions }) => actions.filter(isOfToken));
}

const ofTokens = new WeakMap<readonly HttpItem[], readonly HttpItem[]>();

/** Most items need no token, so the others are found once. */
function itemsOfTokens(items: readonly HttpItem[]): readonly HttpItem[] {
  const known = ofTokens.get(items) ?? items.filter(({ actions }) => actions.some(isOfToken));
  ofTokens.set(items, known);
  return known;
}

function isOfToken(action: HttpItem["actions"][number]): action is JwtClaimsAction & HttpAction {
  return action.type === "jwt_claims";
}

/**
 * Returns a descriptor for each item whose conditions the request fulfils and whose actions all
 * have a value, in the order of the items. `claims` are those of verified tokens.
 */
export function classify(
  items: readonly HttpItem[],
  request: NormalRequest,
  claims: Claims = NO_CLAIMS,
): readonly ItemDescriptor[] {
  const descriptors: ItemDescriptor[] = [];
  for (const item of items) {
    if (!isFor(item.match, request)) continue;
    const entries = entriesOf(item, request, claims);
    if (entries !== undefined && entries.length > 0) descriptors.push({ item, entries });
  }
  return descriptors;
}

/** Returns the entries; undefined if an action has no value and may not be left out. */
function entriesOf(
  { actions }: HttpItem,
  request: NormalRequest,
  claims: Claims,
): readonly DescriptorEntry[] | undefined {
  const entries: DescriptorEntry[] = [];
  for (const action of actions) {
    const value = entryOf(action, request, claims);
    if (value !== undefined) entries.push({ key: action.key, value });
    else if (!("isSkipped" in action && action.isSkipped)) return undefined;
  }
  return entries;
}

const WHOLE = { isWhole: true } as const;
const BEGINNING = { isWhole: false } as const;

/** Whether a request fulfils all conditions of an item. */
export function isFor(
  { methods, path, prefix, hosts }: HttpMatch,
  request: NormalRequest,
): boolean {
  if (methods !== undefined && !methods.includes(request.method)) return false;
  if (path !== undefined && !isPath(path, request, WHOLE)) return false;
  if (prefix !== undefined && !isPath(prefix, request, BEGINNING)) return false;
  return hosts === undefined || hosts.some((host) => isHost(host, request));
}

/** Whether a path has the segments of a template, and no others if it `isWhole`. */
function isPath(
  { segments }: PathTemplate,
  { target: { readings } }: NormalRequest,
  { isWhole }: { readonly isWhole: boolean },
): boolean {
  for (const reading of readings) {
    const isLong = reading.length >= segments.length;
    if (isLong && !(isWhole && reading.length > segments.length) && begins(reading, segments)) {
      return true;
    }
  }
  return false;
}

/** A loop without closures, because it runs for every item. */
function begins(reading: readonly string[], segments: PathTemplate["segments"]): boolean {
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index];
    if (segment !== undefined && segment !== reading[index]) return false;
  }
  return true;
}

function isHost(expected: string, { host }: NormalRequest): boolean {
  return expected.startsWith("*") ? host.endsWith(expected.slice(1)) : host === expected;
}
