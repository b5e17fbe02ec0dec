/** Reads where rules come from: paths of files, or the URL of a service. */
import { fileURLToPath } from "node:url";
import { display, printable } from "spillway/support";
import { CommandError } from "../command-error.ts";

/**
 * Where rules come from: paths of rule files and of directories with such files, or the URL of a
 * running service, such as `http://127.0.0.1:8080`.
 */
export type RulesSource = string | URL | readonly (string | URL)[];

/** A source after its check. */
export type CheckedSource =
  | { readonly type: "files"; readonly paths: readonly string[] }
  /** The URL of a service's rules. */
  | { readonly type: "service"; readonly url: string };

const RULES_PATH = "/v1/rules";

/** @throws CommandError `bad-source` */
export function checkedSource(source: RulesSource): CheckedSource {
  const all: readonly unknown[] = Array.isArray(source) ? source : [source];
  if (all.length === 0) throw badSource("an empty list");
  const [first] = all;
  if (isHttp(first) && all.length === 1) return { type: "service", url: rulesUrl(String(first)) };
  return { type: "files", paths: all.map(pathOf) };
}

function isHttp(one: unknown): boolean {
  return /^https?:/i.test(String(one)) && (typeof one === "string" || one instanceof URL);
}

function pathOf(one: unknown): string {
  if (isHttp(one)) throw badSource("the URL of a service beside others");
  if (one instanceof URL && one.protocol === "file:") return fileURLToPath(one);
  if (typeof one === "string" && one !== "" && !one.includes("\0")) return one;
  throw badSource(one instanceof URL ? printable(one.protocol) : display(one));
}

function rulesUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null) throw badSource(display(text));
  const { origin, pathname, username, password, search, hash } = url;
  if ([username, password, search, hash].some((part) => part !== "")) {
    throw badSource("a URL with a user, a query or a fragment");
  }
  return origin + pathname.replace(/\/$/, "") + RULES_PATH;
}

function badSource(found: string): CommandError {
  const expected =
    "paths of rule files, or the URL of one service, such as http://127.0.0.1:8080. A token is " +
    "passed as `token`";
  return new CommandError("bad-source", `source of rules: found ${found}, expected ${expected}`);
}
