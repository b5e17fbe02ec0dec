/** What Cloudflare Workers say of the flags that they were deployed with. */
declare const Cloudflare:
  | { readonly compatibilityFlags?: { readonly [flag: string]: boolean } }
  | undefined;

const flags = typeof Cloudflare === "object" ? Cloudflare.compatibilityFlags : undefined;

/** Whether a worker lacks a compatibility flag; false elsewhere, and where a worker can't tell. */
export function lacksFlag(flag: string): boolean {
  return flags !== undefined && flags[flag] !== true;
}
