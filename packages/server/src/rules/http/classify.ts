/** Finds the descriptors of a request by the items of an `http` section. All functions are pure. */
import type { DescriptorEntry } from "../match.ts";
import { entryOf } from "./entry.ts";
import type { HttpItem, HttpMatch, PathTemplate } from "./items.ts";
import type { NormalRequest } from "./request-head.ts";

/** A descriptor, and the item that made it. */
export type ItemDescriptor = {
  readonly item: HttpItem;
  readonly entries: readonly DescriptorEntry[];
};

/**
 * Returns a descriptor for each item whose conditions the request fulfils and whose actions all
 * have a value, in the order of the items.
 */
export function classify(
  items: readonly HttpItem[],
  request: NormalRequest,
): readonly ItemDescriptor[] {
  const descriptors: ItemDescriptor[] = [];
  for (const item of items) {
    if (!isFor(item.match, request)) continue;
    const entries = entriesOf(item, request);
    if (entries !== undefined && entries.length > 0) descriptors.push({ item, entries });
  }
  return descriptors;
}

/** Returns the entries; undefined if an action has no value and may not be left out. */
function entriesOf(
  { actions }: HttpItem,
  request: NormalRequest,
): readonly DescriptorEntry[] | undefined {
  const entries: DescriptorEntry[] = [];
  for (const action of actions) {
    const value = entryOf(action, request);
    if (value !== undefined) entries.push({ key: action.key, value });
    else if (!("isSkipped" in action && action.isSkipped)) return undefined;
  }
  return entries;
}

/** Whether a request fulfils all conditions of an item. */
export function isFor(
  { methods, path, prefix, hosts }: HttpMatch,
  request: NormalRequest,
): boolean {
  if (methods !== undefined && !methods.includes(request.method)) return false;
  if (path !== undefined && !isPath(path, request, { isWhole: true })) return false;
  if (prefix !== undefined && !isPath(prefix, request, { isWhole: false })) return false;
  return hosts === undefined || hosts.some((host) => isHost(host, request));
}

function isPath(
  { segments }: PathTemplate,
  { target: { readings } }: NormalRequest,
  { isWhole }: { readonly isWhole: boolean },
): boolean {
  for (const reading of readings) {
    const hasLength = isWhole
      ? reading.length === segments.length
      : reading.length >= segments.length;
    if (hasLength && segments.every((one, index) => (one ?? reading[index]) === reading[index])) {
      return true;
    }
  }
  return false;
}

function isHost(expected: string, { host }: NormalRequest): boolean {
  return expected.startsWith("*") ? host.endsWith(expected.slice(1)) : host === expected;
}
