/** The compatibility flags that Cloudflare Workers were deployed with. */
declare const Cloudflare:
  | { readonly compatibilityFlags?: { readonly [flag: string]: boolean } }
  | undefined;

/**
 * Whether a worker lacks a compatibility flag. False in other runtimes, and if the worker does not
 * expose its flags.
 */
export function lacksFlag(flag: string): boolean {
  const flags = typeof Cloudflare === "object" ? Cloudflare.compatibilityFlags : undefined;
  return flags !== undefined && flags[flag] !== true;
}
