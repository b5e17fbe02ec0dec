/** How long rules take to find the descriptors of requests that are hard to read. */
import { classifier, normalRequest, parseRules } from "spillway-server";
import { rowOf } from "../rows.ts";
import type { Measured, Suite } from "./suite.ts";

type RequestHead = Parameters<typeof normalRequest>[0];

const ITEMS = 1000;
/** All that a request may have: a server's bound for its headers. */
const LARGE = 16_000;
const ROUNDS = 9;
const CALLS = 500;

/** One item of rules, the same a thousand times; and a request. */
type Case = {
  readonly name: string;
  readonly item: string;
  readonly count?: number;
  readonly head?: Partial<Pick<RequestHead, "method" | "target" | "host">>;
  readonly headers?: Readonly<Record<string, string>>;
};

const filled = (unit: string, length = LARGE): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length - (length % unit.length));

const PATH = "match: { path: '/users/{id}' }, actions: [{ path: {} }]";
const QUERY = "actions: [{ query_parameters: { query_parameter_name: q, descriptor_key: q } }]";
const COOKIE = "actions: [{ cookies: { cookie_name: q, descriptor_key: q } }]";
const REGEX = ".*(?:googlebot|bingbot|crawl|spider)/[0-9.]+.*";
const PATTERN =
  "actions: [{ header_value_match: { descriptor_value: v, headers: [{ name: user-agent, " +
  `string_match: { safe_regex: { regex: '${REGEX}' } } }] } }]`;

const CASES: readonly Case[] = [
  { name: "one item of 1000", item: PATH, head: { target: "/other/7" } },
  { name: "all of 1000", item: PATH, head: { target: "/users/7" } },
  { name: "escapes in a path", item: PATH, head: { target: `/users/${filled("%41")}` } },
  { name: "letters that are not ASCII", item: PATH, head: { target: `/${filled("%C3%84")}` } },
  {
    name: "slashes as escapes",
    item: PATH,
    head: { target: `/a${"%2F".repeat(250)}${filled("%41", 15_000)}` },
  },
  { name: "256 parameters", item: QUERY, head: { target: `/?${filled("%71b=%41%42&", 2800)}q=1` } },
  { name: "one large parameter", item: QUERY, head: { target: `/?q=${filled("%41")}` } },
  {
    name: "one parameter that is not UTF-8",
    item: QUERY,
    head: { target: `/?q=${filled("%C3")}` },
  },
  {
    name: "200 escaped names",
    item: QUERY,
    head: {
      target: `/?${filled("%61%62%63%64%65%66%67%68%69%6a%6b%6c%6d%6e%6f%70%71%72%73%74%75%76=&")}`,
    },
  },
  {
    name: "200 cookies",
    item: COOKIE,
    headers: {
      cookie: filled("some-cookie-of-somebody=0123456789abcdef0123456789abcdef01234567; "),
    },
  },
  { name: "one large cookie", item: COOKIE, headers: { cookie: `q=${filled("x")}` } },
  {
    name: "30 patterns",
    item: PATTERN,
    count: 30,
    headers: { "user-agent": filled("googlebot/x") },
  },
];

export const classifying: Suite = async (progress) => {
  const rows: Measured[] = [];
  for (const one of CASES) {
    progress(one.name);
    rows.push(rowOf({ name: one.name, unit: "µs of CPU" }, roundsOf(one)));
  }
  return [{ title: `Classifying a request of 16 KB by ${ITEMS} items`, rows }];
};

function roundsOf({ item, count = ITEMS, head, headers = {} }: Case): readonly number[] {
  const text = `domain: d\nhttp:\n${`  - { ${item} }\n`.repeat(count)}`;
  const items = parseRules([{ name: "rules.yaml", text }]).http.get("d") ?? [];
  const asked: RequestHead = {
    ...{ method: "GET", target: "/", host: "shop.example", ...head },
    header: (name) => headers[name],
    address: () => "192.0.2.1",
  };
  const classify = classifier();
  const once = () => {
    const request = normalRequest(asked);
    if (request === undefined) throw new Error("a bad request");
    return classify(items, request);
  };
  return Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage();
    for (let call = 0; call < CALLS; call++) once();
    return process.cpuUsage(start).user / CALLS;
  });
}
