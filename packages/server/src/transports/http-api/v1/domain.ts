import { display } from "spillway/support";
import { RequestError, type Service } from "../../../service/index.ts";

/**
 * Refuses domains without rules. It suggests no name: callers could guess domains one by one, and
 * finding the nearest of many would cost more than a decision.
 *
 * @throws RequestError `unknown-domain`
 */
export function checkDomain({ rules }: Service, domain: string): void {
  if (rules.domains.has(domain)) return;
  const detail = `Found the domain ${display(domain)}, expected one that a rule file names`;
  throw new RequestError({ status: 404, code: "unknown-domain", detail });
}
