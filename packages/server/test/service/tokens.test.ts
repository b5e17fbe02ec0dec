/** Claims of tokens: which are believed, and what happens without the keys. */
import { createHmac, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { exportJWK, SignJWT } from "jose";
import { type ManualClock, manualClock } from "spillway/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { parseRules } from "../../src/index.ts";
import { normalRequest } from "../../src/rules/index.ts";
import { type Classifier, classifier } from "../../src/service/index.ts";
import { atEnd } from "../support/at-end.ts";
import { problemsOf } from "../support/rules.ts";
import { serve } from "../support/service.ts";
import { temporaryDirectory } from "../support/temporary.ts";

type Pair = ReturnType<typeof generateKeyPairSync>;
const makePair = (): Pair => generateKeyPairSync("rsa", { modulusLength: 2048 });

/** A provider's key and its successor. */
let first: Pair;
let second: Pair;
beforeAll(() => {
  first = makePair();
  second = makePair();
});

const ISSUER = "https://login.example";

async function jwksOf(pairs: Readonly<Record<string, Pair>>): Promise<string> {
  const keys = Object.entries(pairs).map(async ([kid, { publicKey }]) => ({
    ...(await exportJWK(publicKey)),
    kid,
  }));
  return JSON.stringify({ keys: await Promise.all(keys) });
}

type TokenOptions = {
  readonly clock: ManualClock;
  readonly pair?: Pair;
  readonly kid?: string;
  readonly issuer?: string;
  readonly audience?: string;
  readonly ends?: number;
  readonly more?: object;
};

function tokenOf(options: TokenOptions): Promise<string> {
  const { clock, pair = first, kid = "1", issuer = ISSUER, audience = "shop", ends = 60 } = options;
  return new SignJWT({ plan: "gold", realm: { id: 7 }, list: [1], ...options.more })
    .setProtectedHeader({ alg: "RS256", kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject("ann")
    .setExpirationTime(new Date(clock() + ends * 1000))
    .sign(pair.privateKey);
}

type Keys = (request: IncomingMessage, response: ServerResponse) => void;
type Provider = { readonly uri: string; answer: Keys; asked: number };

const sending =
  (text: string): Keys =>
  (_, response) =>
    response.end(text);

async function provide(answer: Keys): Promise<Provider> {
  const server = createServer((asked, response) => {
    provider.asked += 1;
    provider.answer(asked, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const provider: Provider = { uri: `http://127.0.0.1:${port}/keys`, answer, asked: 0 };
  return provider;
}

const rulesFor = (provider: string, claims = "") => `domain: d
jwt_providers: [{ name: login, issuer: "${ISSUER}", audiences: [shop],
  ${provider}, clock_skew_seconds: 0 }]
http: [{ actions: [{ jwt_claims: { claim_path: [sub], descriptor_key: user ${claims} } }] }]
descriptors: [{ key: user, rate_limit: { unit: hour, requests_per_unit: 1 } }]
`;

/** The descriptors of a request with this header, or the code of its refusal. */
async function resultOf(classify: Classifier, rules: string, authorization?: string) {
  const items = parseRules([{ name: "r", text: rules }]).http.get("d") ?? [];
  const header = (name: string) => (name === "authorization" ? authorization : undefined);
  const head = { method: "GET", target: "/", host: "h", header, address: () => "192.0.2.1" };
  const asked = normalRequest(head);
  if (asked === undefined) throw new Error("a bad request");
  try {
    const found = await classify(items, asked);
    return found.map(({ entries }) => entries.map(({ key, value }) => `${key}=${value}`).join());
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

async function scene(rulesOfUri = rulesFor) {
  const clock = manualClock();
  const provider = await provide(sending(await jwksOf({ 1: first })));
  const classify = classifier({ clock });
  const rules = rulesOfUri(`jwks_uri: "${provider.uri}"`);
  const ask = async (token?: string) =>
    resultOf(classify, rules, token === undefined ? undefined : `Bearer ${token}`);
  return { clock, provider, ask, classify, rules };
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a token", () => {
  it("that verifies has claims, whose keys are read once", async () => {
    const { clock, provider, ask } = await scene();
    const token = await tokenOf({ clock });
    expect(await Promise.all([ask(token), ask(token)])).toEqual([["user=ann"], ["user=ann"]]);
    expect([await ask(token), provider.asked]).toEqual([["user=ann"], 1]);
  });

  it.each([
    ["[sub]", ["c=ann"]],
    ["[realm, id]", ["c=7"]],
    ["[list]", []],
    ["[realm]", []],
    ["[none]", []],
    ["[constructor, name]", []],
    ["[plan, length]", []],
  ])("has the claim %s", async (path, expected) => {
    const { clock, classify, rules } = await scene();
    const other = rules.replace(
      /jwt_claims: .*?\}/,
      `jwt_claims: { claim_path: ${path}, descriptor_key: c }`,
    );
    expect(await resultOf(classify, other, `bearer  ${await tokenOf({ clock })}`)).toEqual(
      expected,
    );
  });

  const bad: Readonly<Record<string, (clock: ManualClock) => string | Promise<string>>> = {
    "that is none": () => "junk",
    "that is empty": () => "",
    "without a signature": async (clock) => {
      const [, payload] = (await tokenOf({ clock })).split(".");
      return `${encoded({ alg: "none" })}.${payload}.`;
    },
    "signed with the public key as a secret": async (clock) => {
      const [, payload] = (await tokenOf({ clock })).split(".");
      const signed = `${encoded({ alg: "HS256", kid: "1" })}.${payload}`;
      const secret = first.publicKey.export({ type: "spki", format: "pem" });
      return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
    },
    "whose payload was changed": async (clock) => {
      const [head, , signature] = (await tokenOf({ clock })).split(".");
      return `${head}.${encoded({ sub: "eve", iss: ISSUER, aud: "shop" })}.${signature}`;
    },
    "signed with another key": (clock) => tokenOf({ clock, pair: second }),
    "with an unknown kid": (clock) => tokenOf({ clock, pair: second, kid: "2" }),
    "that has expired": (clock) => tokenOf({ clock, ends: -1 }),
    "for another audience": (clock) => tokenOf({ clock, audience: "bank" }),
    "of another issuer": (clock) => tokenOf({ clock, issuer: "https://evil.example" }),
    "of over 16 KiB": (clock) => tokenOf({ clock, more: { x: "x".repeat(16_384) } }),
    "beside another": async (clock) => `${await tokenOf({ clock })}, Bearer junk`,
  };

  it.each(Object.entries(bad))("%s has no claims, or is refused", async (_, make) => {
    const { clock, classify, rules, ask } = await scene();
    const token = await make(clock);
    expect([await ask(token), await ask()]).toEqual([[], []]);
    const refusing = rules.replace(
      "descriptor_key: user",
      "descriptor_key: user, refuse_invalid: true",
    );
    clock.advance(10_000);
    expect(await resultOf(classify, refusing, `Bearer ${token}`)).toBe("invalid-token");
    expect(await resultOf(classify, refusing)).toEqual([]);
    expect(await resultOf(classify, refusing, "Basic YTpi")).toEqual([]);
  });

  it("of 16 KB that verifies has claims", async () => {
    const { clock, ask } = await scene();
    expect(await ask(await tokenOf({ clock, more: { x: "x".repeat(11_000) } }))).toEqual([
      "user=ann",
    ]);
  });
});

it("signed by an algorithm that its provider does not use does not verify", async () => {
  const { clock, classify, rules } = await scene();
  const other = rules.replace("audiences", "algorithms: [PS256], audiences");
  expect(await resultOf(classify, other, `Bearer ${await tokenOf({ clock })}`)).toEqual([]);
});

describe("keys", () => {
  it("are read again for a kid that is new, but not all the time", async () => {
    const { clock, provider, ask } = await scene();
    expect(await ask(await tokenOf({ clock }))).toEqual(["user=ann"]);
    provider.answer = sending(await jwksOf({ 2: second }));
    const token = await tokenOf({ clock, pair: second, kid: "2" });
    clock.advance(1000);
    // It could be valid, so that to let it pass would pass its limit by.
    expect([await ask(token), provider.asked]).toEqual(["no-keys", 1]);
    clock.advance(4000);
    expect([await ask(token), provider.asked]).toEqual([["user=ann"], 2]);
    clock.advance(5000);
    expect([await ask(await tokenOf({ clock })), provider.asked]).toEqual([[], 3]);
  });

  it.each<[string, Keys]>([
    ["away", (asked) => asked.socket.destroy()],
    ["slow", () => {}],
    ["an error", (_, response) => response.writeHead(500).end("{}")],
    ["no JSON", sending("<html>")],
    ["no set", sending('{"keys":7}')],
    ["null", sending("null")],
    ["too large", sending(`{"keys":[],"x":"${"x".repeat(300_000)}"}`)],
    ["somewhere else", (_, response) => response.writeHead(302, { location: "/other" }).end()],
  ])(
    "that are %s let nobody pass a limit by, and are not asked for by each request",
    async (_, answer) => {
      const { clock, provider, ask } = await scene();
      const good = provider.answer;
      provider.answer = answer;
      const token = await tokenOf({ clock });
      expect(await Promise.all([ask(token), ask(token), ask()])).toEqual([
        "no-keys",
        "no-keys",
        [],
      ]);
      expect([await ask(token), provider.asked]).toEqual(["no-keys", 1]);
      provider.answer = good;
      clock.advance(5000);
      expect(await ask(token)).toEqual(["user=ann"]);
      provider.answer = answer;
      clock.advance(20 * 60_000);
      expect(await ask(await tokenOf({ clock }))).toEqual(["user=ann"]);
    },
  );

  it("of a file are read again too", async () => {
    const clock = manualClock();
    const file = join(temporaryDirectory(), "keys.json");
    writeFileSync(file, await jwksOf({ 1: first }));
    const classify = classifier({ clock });
    const ask = async (options: Omit<TokenOptions, "clock">) =>
      resultOf(
        classify,
        rulesFor(`jwks_file: "${file}"`),
        `Bearer ${await tokenOf({ clock, ...options })}`,
      );
    expect(await ask({})).toEqual(["user=ann"]);
    writeFileSync(file, await jwksOf({ 2: second }));
    clock.advance(5000);
    expect(await ask({ pair: second, kid: "2" })).toEqual(["user=ann"]);
  });
});

describe("/auth", () => {
  async function answersOf(lines: readonly string[], refuse = "") {
    const provider = await provide(sending(await jwksOf({ 1: first })));
    const server = await serve(rulesFor(`jwks_uri: "${provider.uri}"`, refuse));
    const set = { "X-Original-Method": "GET", "X-Original-URI": "/", "X-Original-Host": "h" };
    const headers = { ...set, "X-Forwarded-For": "192.0.2.1", Authorization: [...lines] };
    const sent = request(`${server.url}/auth/nginx`, { headers }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const text = (await response.toArray()).join("");
    return { status: response.statusCode, headers: response.headers, text };
  }

  it("refuses several Authorization headers", async () => {
    const clock = manualClock(Date.now());
    const token = `Bearer ${await tokenOf({ clock })}`;
    expect((await answersOf([token])).headers.ratelimit).toMatch(/r=0/);
    expect((await answersOf([token, "Bearer junk"])).status).toBe(400);
  });

  it("answers 401 to a bad token if the rules say so, and does not show it", async () => {
    const { status, headers, text } = await answersOf(["Bearer secret"], ", refuse_invalid: true");
    expect([status, headers["www-authenticate"]]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(text).toContain("invalid-token");
    expect(text).not.toContain("secret");
    expect((await answersOf(["Bearer secret"])).status).toBe(200);
  });
});

it.each([
  ["", "either jwks_uri or jwks_file"],
  ['jwks_uri: "https://a.example/k", jwks_file: f', "either jwks_uri or jwks_file"],
  ['jwks_uri: "http://a.example/k"', "an https URL"],
  ['jwks_uri: "https://a:b@a.example/k"', "without a user"],
  ["jwks_file: f, algorithms: [HS256]", "asymmetric algorithms"],
  ["jwks_file: f, algorithms: [none]", "asymmetric algorithms"],
  ["jwks_file: f, clock_skew_seconds: 301", "from 0 to 300"],
])("a provider with %j is a mistake", (fields, expected) => {
  const text = `domain: d\njwt_providers: [{ name: a, issuer: i, ${fields} }]`;
  expect(
    problemsOf(text)
      .map((problem) => problem.expected)
      .join(),
  ).toContain(expected);
});

it.each([
  ["claim_path: [sub], descriptor_key: k", "", "of which this file has none"],
  ["claim_path: [sub], descriptor_key: k", "a, b", "one of a, b"],
  ["claim_path: [sub], descriptor_key: k, provider: c", "a, b", "one of a, b"],
  ["descriptor_key: k", "a", "the names that lead to a claim"],
  ["claim_path: [sub]", "a", "a text as descriptor_key"],
])("claims with %s of %j are a mistake", (fields, names, expected) => {
  const providers = names.split(", ").filter(Boolean);
  const written = providers.map((name) => `{ name: ${name}, issuer: i, jwks_file: f }`);
  const items = `[{ actions: [{ jwt_claims: { ${fields} } }] }]`;
  const text = `domain: d\njwt_providers: [${written}]\nhttp: ${items}`;
  expect(
    problemsOf(text)
      .map((problem) => problem.expected)
      .join(),
  ).toContain(expected);
});
