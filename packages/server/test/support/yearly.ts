import { descriptor, type Reply } from "./service.ts";
import { type ServiceProcess, startService } from "./service-process.ts";

/** A hundred for each user; no window ends while the tests run, but for those of New Year's Eve. */
export const YEARLY = `
domain: shop
descriptors:
  - key: user
    rate_limit: { unit: year, requests_per_unit: 100 }
`;

/** The descriptors of a user. */
export function requestOf(user: string) {
  return { domain: "shop", descriptors: [descriptor(`user=${user}`)] };
}

export type Wish = { readonly user?: string; readonly count?: number };

/** Asks for some of a user's hundred: by default for one of ann's. */
export function ask(
  service: ServiceProcess,
  { user = "ann", count = 1 }: Wish = {},
): Promise<Reply> {
  return service.post("/v1/limit", { ...requestOf(user), count });
}

/** Serves these rules, with their state in a store. */
export function serveYearly(store: string, args: readonly string[] = []): Promise<ServiceProcess> {
  return startService({ rules: YEARLY, store, args });
}
