/** The lines that `spillway proxy` prints when it listens. */
import { listRules, type Rules } from "../../rules/index.ts";
import { counted, listing } from "../console/index.ts";
import { POLICIES, reach, type WelcomeDetails } from "./welcome.ts";

/** Returns the lines. Pure. */
export function proxyWelcome(rules: Rules, listening: WelcomeDetails): readonly string[] {
  const { url, host, where, places, policy } = listening;
  const all = listRules(rules);
  return [
    `${counted(all.length, "limit")}, state in ${where}`,
    ...listing(all),
    ...places,
    `Listening on ${url}. Try:`,
    `  curl -i ${url}/`,
    ...reach(host),
    ...(policy === undefined ? [] : [POLICIES[policy]]),
  ];
}
