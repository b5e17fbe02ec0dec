/** Explains why an item makes no descriptor of a request. All functions are pure. */
import { isFor } from "./classify.ts";
import { type Claims, entryOf } from "./entry.ts";
import type { HttpAction, HttpItem, HttpMatch } from "./items.ts";
import type { NormalRequest } from "./request-head.ts";

/** Returns a reason why an item makes no descriptor of a request. */
export function whyNot({ match, actions }: HttpItem, request: NormalRequest): string {
  const condition = CONDITIONS.find((name) => !isFor({ ...ANY, [name]: match[name] }, request));
  if (condition !== undefined) return conditionOf(condition, match);
  const needed = actions.filter((action) => !("isSkipped" in action && action.isSkipped));
  const missing = needed.filter((action) => entryOf(action, request, NO_CLAIMS) === undefined);
  // Whether a claim is missing is not known here: it is, if nothing else is.
  const action = missing.find(({ type }) => type !== "jwt_claims") ?? missing[0];
  return action === undefined ? "no action has a value" : missingOf(action);
}

const NO_CLAIMS: Claims = new Map();

const CONDITIONS = ["methods", "path", "prefix", "hosts"] as const;
const ANY: HttpMatch = {
  methods: undefined,
  path: undefined,
  prefix: undefined,
  hosts: undefined,
};

function conditionOf(name: (typeof CONDITIONS)[number], match: HttpMatch): string {
  const value = match[name];
  const text = value !== undefined && "text" in value ? value.text : (value ?? []).join(", ");
  return `the ${name} of its match: ${text}`;
}

function missingOf(action: HttpAction): string {
  switch (action.type) {
    case "request_headers":
      return `no header ${action.name}`;
    case "query_parameters":
      return `no parameter ${action.name}`;
    case "cookies":
      return `no cookie ${action.name}`;
    case "jwt_claims":
      return `no claim ${action.path.join(".")} of a verified token`;
    case "user_agent":
      return "a user agent of none of its classes";
    case "header_value_match": {
      const names = action.headers.map(({ name }) => name).join(", ");
      return `${action.key}=${action.value} is not for this ${names}`;
    }
    default:
      return `no ${action.type}`;
  }
}
