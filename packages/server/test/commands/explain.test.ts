import { describe, expect, it } from "vitest";
import { explanation } from "../../src/commands/explain.ts";
import { classifiedQuery } from "../../src/commands/explain-request.ts";
import { rulesOf } from "../support/rules.ts";

const RULES = rulesOf(`domain: shop
descriptors:
  - key: path
    value: /api/*
    rate_limit: { unit: second, requests_per_unit: 100, name: api }
  - key: path
    value: /api/v1
    descriptors:
      - key: user
        rate_limit: { unit: minute, requests_per_unit: 5, replaces: [{ name: api }] }
  - key: path
  - key: region
    rate_limit: { unit: minute, requests_per_unit: 9 }
    descriptors:
      - { key: user, rate_limit: { unit: minute, requests_per_unit: 5, also: parent } }
`);

/** What is said of some descriptors. */
function said(...descriptors: readonly string[]): readonly string[] {
  const descriptor = descriptors.map((text) =>
    text.split(",").map((entry) => {
      const [key = "", value = ""] = entry.split("=");
      return { key, value };
    }),
  );
  return explanation(RULES, { domain: "shop", descriptor });
}

describe("spillway explain", () => {
  it("says which descriptor is taken, and why others are not", () => {
    expect(said("path=/api/v2")).toEqual([
      "Descriptor path=/api/v2",
      "  path=/api/v2 -> path=%2Fapi%2F*",
      "    not path=%2Fapi%2Fv1: its value differs",
      "    not path: a matching pattern takes precedence",
      "    not 1 with other keys",
      "  takes from",
      "    shop/path=%2Fapi%2F*  fixed window, 100 per second  (rules.yaml:3)",
    ]);
  });

  it("says that an exact value has no way back", () => {
    expect(said("path=/api/v1")).toEqual([
      "Descriptor path=/api/v1",
      "  path=/api/v1 -> path=%2Fapi%2Fv1",
      "    not path=%2Fapi%2F*: an exact value takes precedence",
      "    not path: an exact value takes precedence",
      "    not 1 with other keys",
      "  no limit: the request has no further entry, and this descriptor has no rate_limit",
    ]);
    expect(said("path=/api/v1,item=1").at(-1)).toBe(
      "  no limit: no descriptor at this level has the key item, and earlier levels are not " +
        "tried again",
    );
    expect(said("path=/other").at(-1)).toBe(
      "  no limit: the descriptor has no rate_limit: the request passes",
    );
    expect(said("path=/other,user=1").at(-1)).toBe(
      "  no limit: the request has more entries than the rules have levels",
    );
  });

  it("names the domains where one is not known", () => {
    expect(explanation(RULES, { domain: "shp", descriptor: [] })).toEqual([
      "The domain shp has no rules: no limit. Did you mean shop? Domains with rules: shop",
    ]);
  });

  it("says what replaces a limit", () => {
    expect(said("path=/api/v2", "path=/api/v1,user=ann")).toContain(
      "  no limit: another descriptor replaces api",
    );
  });

  it("lists limits above that also apply", () => {
    expect(said("region=eu,user=ann").slice(-3)).toEqual([
      "  takes from all of these, or from none",
      "    shop/region/user  fixed window, 5 per minute  (rules.yaml:15)",
      "    shop/region       fixed window, 9 per minute  (rules.yaml:12)",
    ]);
  });

  it("knows no other domain", () => {
    expect(explanation(RULES, { domain: "other", descriptor: [] })).toEqual([
      "The domain other has no rules: no limit. Domains with rules: shop",
    ]);
  });
});

describe("spillway explain --request", () => {
  const shop = rulesOf(`domain: shop
http:
  - match: { path: "/items/{id}" }
    actions: [{ request_headers: { header_name: x-api-key, descriptor_key: api_key } }, { path: {} }]
  - actions: [{ remote_address: {} }]
`);
  const line = { method: "GET", target: "/Items//7?a" };

  it("finds the descriptors of a request, and the items that made them", async () => {
    const header = new Headers({ "X-Api-Key": "a" });
    expect(await classifiedQuery(shop, line, { header, address: "2001:db8::1" })).toEqual({
      heading: "Request GET /Items//7?a, whose path is read as /items/7",
      query: {
        domain: "shop",
        descriptor: [
          [
            { key: "api_key", value: "a" },
            { key: "path", value: "/items/{id}" },
          ],
          [{ key: "remote_address", value: "2001:db8:0:0::/64" }],
        ],
        places: ["  (rules.yaml:3)", "  (rules.yaml:5)"],
      },
    });
  });

  it("says of each other item why it makes no descriptor", async () => {
    const rules = rulesOf(`domain: shop
jwt_providers: [{ name: login, issuer: i, jwks_file: /no/such/file }]
http:
  - match: { methods: [POST, PUT] }
    actions: [{ method: {} }]
  - match: { path: "/users/{id}", hosts: [a.example] }
    actions: [{ method: {} }]
  - match: { prefix: /items, hosts: [a.example, "*.b.example"] }
    actions: [{ method: {} }]
  - actions: [{ request_headers: { header_name: x-api-key, descriptor_key: k } }]
  - actions: [{ query_parameters: { query_parameter_name: q, descriptor_key: k } }]
  - actions: [{ cookies: { cookie_name: c, descriptor_key: k } }]
  - actions: [{ header_value_match: { descriptor_value: v, headers: [{ name: x-plan, string_match: { exact: pro } }] } }]
  - actions: [{ user_agent: { classes: [{ name: bot, contains: [bot] }] } }]
  - actions: [{ jwt_claims: { claim_path: [realm, plan], descriptor_key: plan } }]
  - actions: [{ jwt_claims: { claim_path: [sub], descriptor_key: k } }, { cookies: { cookie_name: c, descriptor_key: c } }]
  - actions: [{ request_headers: { header_name: x-api-key, descriptor_key: k, skip_if_absent: true } }]
  - actions: [{ method: {} }]
`);
    const header = new Headers({ "x-plan": "free" });
    const { heading } = await classifiedQuery(rules, line, { header });
    expect(heading.split("\n").slice(1)).toEqual([
      "  not rules.yaml:4: the methods of its match: POST, PUT",
      "  not rules.yaml:6: the path of its match: /users/{id}",
      "  not rules.yaml:8: the hosts of its match: a.example, *.b.example",
      "  not rules.yaml:10: no header x-api-key",
      "  not rules.yaml:11: no parameter q",
      "  not rules.yaml:12: no cookie c",
      "  not rules.yaml:13: header_match=v is not for this x-plan",
      "  not rules.yaml:14: a user agent of none of its classes",
      "  not rules.yaml:15: no claim realm.plan of a verified token",
      "  not rules.yaml:16: no cookie c",
      "  not rules.yaml:17: no action has a value",
    ]);
  });

  it("says of a bad request that it is one", async () => {
    const { heading, query } = await classifiedQuery(
      shop,
      { method: "GET", target: "/a%2F.." },
      {},
    );
    expect([heading, query]).toEqual([
      "Request GET /a%2F.. is a bad one: its path has no single meaning",
      undefined,
    ]);
  });

  it("says whether a token verifies, and does not show it", async () => {
    const rules = rulesOf(`domain: shop
jwt_providers: [{ name: login, issuer: i, jwks_file: /no/such/file }]
http: [{ actions: [{ jwt_claims: { claim_path: [sub], descriptor_key: user } }] }]
`);
    const explained = async (token: string) => {
      const header = new Headers({ authorization: `Bearer ${token}` });
      return (await classifiedQuery(rules, line, { header })).heading;
    };
    expect(await explained("junk")).toMatch(
      /no descriptor.*\nThe token, by login: Invalid Compact/,
    );
    const head = Buffer.from('{"alg":"RS256"}').toString("base64url");
    expect(await explained(`${head}.e30.c2lnbg`)).toMatch(
      /^Request .* is refused: Found no keys that could verify the token/,
    );
  });

  it("needs an http section", async () => {
    const { heading } = await classifiedQuery(RULES, line, {});
    expect(heading).toBe("No http section is named; domains that have one: none");
  });
});
