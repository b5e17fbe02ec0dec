/** Which descriptors a request has. */
import { describe, expect, it } from "vitest";
import { parseRules } from "../../../src/index.ts";
import { classify, normalRequest } from "../../../src/rules/index.ts";
import { problemsOf } from "../../support/rules.ts";

type Asked = {
  readonly method?: string;
  readonly target?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: (bits: number) => string;
};

/** The descriptors of a request by some items, each as `key=value, …`. */
function descriptorsOf(items: string, asked: Asked = {}): readonly string[] {
  const { method = "GET", target = "/", host = "shop.example", headers = {} } = asked;
  const { address = () => "192.0.2.1" } = asked;
  const { http } = parseRules([{ name: "rules.yaml", text: `domain: d\nhttp:\n${items}` }]);
  const request = normalRequest({ method, target, host, header: (name) => headers[name], address });
  if (request === undefined) throw new Error("a bad request");
  return classify(http.get("d") ?? [], request).map(({ entries }) =>
    entries.map(({ key, value }) => `${key}=${value}`).join(", "),
  );
}

/** The descriptors by one action. */
function by(action: string, asked: Asked = {}): readonly string[] {
  return descriptorsOf(`  - actions: [${action}]`, asked);
}

describe("an action", () => {
  const query = { target: "/a?q=x+y&q=z&%61b=%C3%A4&empty=" };
  const cookie = { headers: { cookie: "a=1; session = s=2 ;a=3; flag; empty=" } };
  const agent = { headers: { "user-agent": "Mozilla/5.0 (compatible; GoogleBOT/2.1)" } };
  const v6 = { address: (bits: number) => `2001:db8:0:1::/${bits}` };

  it.each<readonly [string, Asked, readonly string[]]>([
    ["remote_address: {}", {}, ["remote_address=192.0.2.1"]],
    ["remote_address: {}", v6, ["remote_address=2001:db8:0:1::/64"]],
    ["masked_remote_address: {}", {}, ["masked_remote_address=192.0.2.1/32"]],
    [
      "masked_remote_address: { v6_prefix_mask_len: 48 }",
      v6,
      ["masked_remote_address=2001:db8:0:1::/48"],
    ],
    [
      "masked_remote_address: { v4_prefix_mask_len: 12 }",
      { address: () => "10.31.2.3" },
      ["masked_remote_address=10.16.0.0/12"],
    ],
    ["masked_remote_address: { v4_prefix_mask_len: 0 }", {}, ["masked_remote_address=0.0.0.0/0"]],
    [
      "request_headers: { header_name: X-Api-Key, descriptor_key: k }",
      { headers: { "x-api-key": "a" } },
      ["k=a"],
    ],
    ["request_headers: { header_name: x-api-key, descriptor_key: k }", {}, []],
    [
      "request_headers: { header_name: x-api-key, descriptor_key: k }",
      { headers: { "x-api-key": "" } },
      [],
    ],
    ["query_parameters: { query_parameter_name: q, descriptor_key: q }", query, ["q=x y"]],
    ["query_parameters: { query_parameter_name: ab, descriptor_key: q }", query, ["q=ä"]],
    ["query_parameters: { query_parameter_name: none, descriptor_key: q }", query, []],
    ["query_parameters: { query_parameter_name: empty, descriptor_key: q }", query, []],
    ["cookies: { cookie_name: a, descriptor_key: c }", cookie, ["c=1"]],
    ["cookies: { cookie_name: session, descriptor_key: c }", cookie, ["c=s=2"]],
    ["cookies: { cookie_name: flag, descriptor_key: c }", cookie, []],
    ["cookies: { cookie_name: empty, descriptor_key: c }", cookie, []],
    ["method: {}", { method: "PUT" }, ["method=PUT"]],
    ["method: {}", { method: "put" }, ["method=PUT"]],
    ["method: { descriptor_key: verb }", {}, ["verb=GET"]],
    ["path: { segments: 2 }", { target: "/A//b%20c/d?e" }, ["path=/a/b%20c"]],
    ["path: { segments: 2 }", { target: "/a" }, ["path=/a"]],
    ["path: { segments: 1, descriptor_key: p }", {}, ["p=/"]],
    ["generic_key: { descriptor_value: v }", {}, ["generic_key=v"]],
    ["generic_key: { descriptor_value: v, descriptor_key: k }", {}, ["k=v"]],
    [
      "user_agent: { classes: [{ name: bot, contains: [spider, Bot] }] }",
      agent,
      ["user_agent=bot"],
    ],
    [
      "user_agent: { classes: [{ name: a, contains: [zilla] }, { name: b, contains: [bot] }] }",
      agent,
      ["user_agent=a"],
    ],
    ["user_agent: { classes: [{ name: curl, contains: [curl] }] }", agent, []],
    [
      "user_agent: { classes: [{ name: bot, contains: [bot] }] }",
      { headers: { "user-agent": `${"x".repeat(510)}bot` } },
      [],
    ],
  ])("%s", (action, asked, descriptors) => expect(by(`{ ${action} }`, asked)).toEqual(descriptors));

  it.each([
    ["string_match: { exact: on }", "on", true],
    ["string_match: { exact: on }", "ON", false],
    ["string_match: { exact: ON, ignore_case: true }", "oN", true],
    ["string_match: { exact: '' }", "", false],
    ["string_match: { exact: '' }, treat_missing_header_as_empty: true", "", true],
    ["string_match: { prefix: a }", "ab", true],
    ["string_match: { prefix: b }", "ab", false],
    ["string_match: { suffix: b }", "ab", true],
    ["string_match: { safe_regex: { regex: 'a[b-c]+' } }", "abc", true],
    ["string_match: { safe_regex: { regex: 'a[b-c]+' } }", "abcd", false],
    ["string_match: { contains: b }", "abc", true],
    ["string_match: { contains: B }", "abc", false],
    ["string_match: { contains: b }, invert_match: true", "abc", false],
    ["string_match: { contains: b }, invert_match: true", "xyz", true],
    ["string_match: { contains: b }, invert_match: true", undefined, false],
    [
      "string_match: { exact: b }, treat_missing_header_as_empty: true, invert_match: true",
      undefined,
      true,
    ],
    ["present_match: true", "", false],
    ["present_match: false", "", true],
    ["present_match: true", undefined, false],
    ["present_match: false", undefined, true],
    ["present_match: true, invert_match: true", undefined, true],
  ])("header_value_match with %s of %j", (condition, value, isMatched) => {
    const headers = value === undefined ? {} : { "x-a": value };
    const action = (more: string) =>
      `{ header_value_match: { descriptor_value: v, headers: [{ name: X-A, ${condition} }]${more} } }`;
    expect(by(action(""), { headers })).toEqual(isMatched ? ["header_match=v"] : []);
    const unexpected = by(action(", expect_match: false"), { headers });
    expect(unexpected).toEqual(isMatched ? [] : ["header_match=v"]);
  });

  it("needs all headers", () => {
    const action =
      "{ header_value_match: { descriptor_value: v, headers: [{ name: a, present_match: true }, " +
      "{ name: b, present_match: true }] } }";
    expect(by(action, { headers: { a: "1" } })).toEqual([]);
    expect(by(action, { headers: { a: "1", b: "2" } })).toEqual(["header_match=v"]);
  });

  it("without a value drops the descriptor, or with skip_if_absent the entry only", () => {
    const header = "request_headers: { header_name: x, descriptor_key: k";
    expect(by(`{ method: {} }, { ${header} } }`)).toEqual([]);
    expect(by(`{ method: {} }, { ${header}, skip_if_absent: true } }`)).toEqual(["method=GET"]);
    expect(by(`{ ${header}, skip_if_absent: true } }`)).toEqual([]);
  });
});

describe("an item", () => {
  const item = (match: string) =>
    `  - { match: { ${match} }, actions: [{ generic_key: { descriptor_value: v } }] }`;

  it.each<readonly [string, Asked, boolean]>([
    ["methods: [POST, PUT]", { method: "PUT" }, true],
    ["methods: [POST]", { method: "post" }, true],
    ["path: /login", { target: "/LOGIN/" }, true],
    ["path: /login", { target: "/login/x" }, false],
    ["path: '/users/{id}'", { target: "/users/7" }, true],
    ["path: '/users/{id}'", { target: "/users" }, false],
    ["path: '/users/{id}'", { target: "/users/a%2Fb" }, true],
    ["path: /users/a/b", { target: "/users/a%2Fb" }, true],
    ["path: /", { target: "/" }, true],
    ["prefix: /api", { target: "/api" }, true],
    ["prefix: /api", { target: "/API/v1" }, true],
    ["prefix: /api", { target: "/apis" }, false],
    ["prefix: /", { target: "*" }, true],
    ["prefix: '/{tenant}/admin'", { target: "/a/admin/x" }, true],
    ["prefix: /api, methods: [GET]", { target: "/api/x", method: "POST" }, false],
    ["hosts: [Shop.example]", { host: "SHOP.example:8080" }, true],
    ["hosts: [shop.example]", { host: "shop.example." }, true],
    ["hosts: [shop.example]", { host: "shop.example...:443" }, true],
    ["hosts: [shop.example]", { host: "shop.example:80x" }, true],
    ["hosts: [shop.example]", { host: "..." }, false],
    ["hosts: [shop.example]", { host: "evilshop.example" }, false],
    ["hosts: ['*.shop.example']", { host: "a.b.shop.example" }, true],
    ["hosts: ['*.shop.example']", { host: "shop.example" }, false],
    ["hosts: ['[::1]']", { host: "[::1]:80" }, true],
    ["hosts: ['[::1]']", { host: "[::1]" }, true],
  ])("with %s is for %j: %s", (match, asked, isFor) =>
    expect(descriptorsOf(item(match), asked)).toEqual(isFor ? ["generic_key=v"] : []),
  );

  it("yields its descriptor in the order of the file, with the path as it is written there", () => {
    const items = `
  - { match: { path: "/Items/{id}" }, actions: [{ path: {} }] }
  - { actions: [{ method: {} }] }
  - { match: { prefix: /items }, actions: [{ path: {} }] }`;
    expect(descriptorsOf(items, { target: "/items/7" })).toEqual([
      "path=/Items/{id}",
      "method=GET",
      "path=/items",
    ]);
  });
});

/** The problems of one item, each as `code: message`. */
function wrong(item: string): readonly string[] {
  return problemsOf(`domain: d\nhttp: [${item}]`).map(({ code, found, expected, hint = "" }) =>
    `${code}: ${found}, ${expected} ${hint}`.trim(),
  );
}

describe("the longest path", () => {
  it("has 256 segments, in rules as in requests", () => {
    const path = "/a".repeat(256);
    expect(wrong(`{ match: { path: ${path} }, actions: [{ method: {} }] }`)).toEqual([]);
    const items = `  - { match: { path: ${path} }, actions: [{ method: {} }] }`;
    expect(descriptorsOf(items, { target: path })).toEqual(["method=GET"]);
  });
});

describe("a wrong item", () => {
  it.each([
    ["{}", /^bad-action: no actions, /],
    ["{ actions: [] }", /^bad-action: no actions, /],
    ["{ actions: [{}] }", /^bad-action: no action, one of remote_address/],
    ["{ actions: [{ remote_adress: {} }] }", /^unknown-field: .*Did you mean remote_address\?/],
    ["{ actions: [{ path: {} }] }", /^bad-action: path without either/],
    ["{ actions: [{ path: { segments: 0 } }] }", /^bad-action: 0, a whole number from 1 to 16/],
    ["{ actions: [{ generic_key: {} }] }", /^bad-action: no descriptor_value/],
    ["{ actions: [{ request_headers: { header_name: a } }] }", /^bad-action: no descriptor_key/],
    [
      "{ actions: [{ cookies: { cookie_name: '', descriptor_key: a } }] }",
      /^bad-action: an empty cookie_name/,
    ],
    [
      "{ actions: [{ masked_remote_address: { v4_prefix_mask_len: 33 } }] }",
      /^bad-action: 33, .* 32 bits/,
    ],
    [
      "{ actions: [{ masked_remote_address: { v6_prefix_mask_len: 128 } }] }",
      /^bad-action: 128, .* any address in it/,
    ],
    ["{ actions: [{ header_value_match: { descriptor_value: a } }] }", /^bad-action: no headers/],
    [
      "{ actions: [{ header_value_match: { descriptor_value: a, headers: [{ name: a }] } }] }",
      /^bad-action: both or none/,
    ],
    [
      "{ actions: [{ header_value_match: { descriptor_value: a, headers: [{ name: a, string_match: { regex: x } }] } }] }",
      /regex belongs in safe_regex/,
    ],
    [
      "{ actions: [{ header_value_match: { descriptor_value: a, headers: [{ name: a, exact_match: x }] } }] }",
      /Write string_match: \{ exact: … \}/,
    ],
    [
      "{ actions: [{ header_value_match: { descriptor_value: a, headers: [{ name: a, string_match: { exact: x, prefix: y } }] } }] }",
      /^bad-action: 2 texts/,
    ],
    ["{ actions: [{ user_agent: {} }] }", /^bad-action: no classes/],
    [
      "{ actions: [{ user_agent: { classes: [{ name: a, contains: [''] }] } }] }",
      /^bad-action: "", texts/,
    ],
    ["{ actions: [{ user_agent: { classes: [{ name: a }] } }] }", /^bad-action: no contains/],
    ["{ match: { methods: [] }, actions: [{ method: {} }] }", /^bad-match: no texts/],
    ["{ match: { methods: ['GET POST'] }, actions: [{ method: {} }] }", /^bad-match/],
    ["{ match: { methods: [post] }, actions: [{ method: {} }] }", /^bad-match: .*in upper case/],
    [
      `{ match: { path: "${"/a".repeat(257)}" }, actions: [{ method: {} }] }`,
      /^bad-path: 257 segments, at most 256/,
    ],
    ...["a b", "a:", "\\r\\nx-b", "ä"].flatMap((name) =>
      [
        `{ request_headers: { header_name: "${name}", descriptor_key: a } }`,
        `{ header_value_match: { descriptor_value: a, headers: [{ name: "${name}", present_match: true }] } }`,
      ].map((action): [string, RegExp] => [
        `{ actions: [${action}] }`,
        /^bad-action: .*, the name of a header/,
      ]),
    ),
    ...["a=b", "a;", " a", "a\\n"].map((name): [string, RegExp] => [
      `{ actions: [{ cookies: { cookie_name: "${name}", descriptor_key: a } }] }`,
      /^bad-action: .*, the name of a cookie/,
    ]),
    ["{ match: { methods: GET }, actions: [{ method: {} }] }", /^wrong-type: .*a list as methods/],
    ["{ match: { prefix: api }, actions: [{ method: {} }] }", /^bad-path: "api"/],
    ["{ match: [], actions: [{ method: {} }] }", /^wrong-type/],
  ])("%s", (item, message) => expect(wrong(item).join("\n")).toMatch(message));

  it("is one of over a thousand, or has too many texts to search", () => {
    const many = (count: number, item: string) => new Array(count).fill(item).join(", ");
    expect(wrong(many(1001, "{ actions: [{ method: {} }] }"))).toEqual([
      "too-many-fields: 1001 items of http in a domain, at most 1000",
    ]);
    const agent = (texts: number) =>
      `{ actions: [{ user_agent: { classes: [{ name: a, contains: [${many(texts, "x")}] }] } }] }`;
    expect(wrong(agent(101))).toEqual([
      "too-many-fields: 101 texts in contains in a domain, at most 100",
    ]);
    expect(wrong(agent(100))).toEqual([]);
  });
});

it("items of several files of a domain follow one another", () => {
  const file = (name: string) => ({
    name,
    text: `domain: d\nhttp: [{ actions: [{ generic_key: { descriptor_value: ${name} } }] }]`,
  });
  const { http } = parseRules([file("a"), file("b")], { mergeDomains: true });
  const places = (http.get("d") ?? []).map(({ place }) => place.file);
  expect(places).toEqual(["a", "b"]);
});
