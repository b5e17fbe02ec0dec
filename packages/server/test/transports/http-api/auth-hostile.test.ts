/** `/auth` under requests that are to be misread, and tokens that are to be believed. */
import { generateKeyPairSync, sign as signBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { atEnd } from "../../support/at-end.ts";
import { connectTo, statusesOf } from "../../support/raw.ts";
import { START, serve, type TestServer } from "../../support/service.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { HOSTILE } from "./auth-hostile.ts";

/** Every request takes a unit, whatever its path; reads headers whose names objects have. */
const ALL = `
domain: shop
http:
  - actions: [{ generic_key: { descriptor_value: all } }]
  - actions: [{ request_headers: { header_name: constructor, descriptor_key: c } }]
descriptors: [{ key: generic_key, rate_limit: { unit: day, requests_per_unit: 1000 } }]
`;

async function taken({ service }: TestServer): Promise<number> {
  const entries = [{ key: "generic_key", value: "all" }];
  const { values } = await service.value({ domain: "shop", descriptors: [{ entries }] });
  return 1000 - (values[0]?.remaining ?? 0);
}

describe("a hostile request", () => {
  it("is refused or answered as documented, and none passes without its unit", async () => {
    const server = await serve(ALL);
    expect(HOSTILE.length).toBeGreaterThanOrEqual(30);
    const found: unknown[] = [];
    const expected: unknown[] = [];
    for (const { name, bytes, statuses } of HOSTILE) {
      const before = await taken(server);
      const socket = await connectTo(server);
      socket.end(bytes, "latin1");
      const answers = statusesOf(await text(socket));
      const passed = answers.filter((status) => status === 200).length;
      found.push({ name, answers: answers.join(), units: (await taken(server)) - before });
      expected.push({ name, answers: statuses.join(), units: passed });
    }
    expect(found).toEqual(expected);
  });
});

const base64 = (value: object | Buffer) =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString("base64url");

const CLAIMS = { iss: "https://login.example", aud: "shop", plan: "pro", exp: START / 1000 + 3600 };

/** Keys that the service knows, and functions that make tokens by them or beside them. */
function keys() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "1", alg: "EdDSA" };
  const file = join(temporaryDirectory(), "keys.json");
  writeFileSync(file, JSON.stringify({ keys: [jwk] }));
  const token = (claims: object, header: object = {}, key = privateKey) => {
    const signed = `${base64({ alg: "EdDSA", kid: "1", ...header })}.${base64(claims)}`;
    return `${signed}.${base64(signBytes(null, Buffer.from(signed), key))}`;
  };
  return { file, token };
}

const plans = (keys: string, refuses = false) => `
domain: shop
jwt_providers:
  - { name: login, issuer: "https://login.example", audiences: [shop], ${keys}, clock_skew_seconds: 0 }
http:
  - actions: [{ generic_key: { descriptor_value: all } }]
  - actions: [{ jwt_claims: { claim_path: [plan], descriptor_key: plan, refuse_invalid: ${refuses} } }]
descriptors:
  - { key: generic_key, rate_limit: { unit: day, requests_per_unit: 1000 } }
  - { key: plan, rate_limit: { unit: day, requests_per_unit: 10 } }
`;

async function asked({ url }: TestServer, token: string) {
  const { status, headers } = await fetch(`${url}/auth/nginx`, {
    headers: {
      "X-Original-Method": "GET",
      "X-Original-URI": "/",
      "X-Original-Host": "shop.example",
      "X-Forwarded-For": "192.0.2.1",
      authorization: `Bearer ${token}`,
    },
  });
  return { status, hasPlan: headers.get("ratelimit")?.includes("shop/plan") ?? false };
}

type Made = ReturnType<typeof keys>;

const other = () => generateKeyPairSync("ed25519").privateKey;

/** Tokens that nobody may believe. */
const FORGED: Readonly<Record<string, (by: Made) => string>> = {
  "alg: none": () => `${base64({ alg: "none" })}.${base64(CLAIMS)}.`,
  "alg: NONE, signed": ({ token }) => token(CLAIMS, { alg: "NONE" }),
  "alg: HS256": ({ token }) => token(CLAIMS, { alg: "HS256" }),
  "another key": ({ token }) => token(CLAIMS, {}, other()),
  "a key of its own": ({ token }) =>
    token(CLAIMS, { jwk: {}, jku: "http://127.0.0.1/", x5u: "http://127.0.0.1/" }, other()),
  expired: ({ token }) => token({ ...CLAIMS, exp: 1 }),
  "not yet valid": ({ token }) => token({ ...CLAIMS, nbf: Date.now() / 1000 + 1e6 }),
  "another audience": ({ token }) => token({ ...CLAIMS, aud: "other" }),
  "no audience": ({ token }) => token({ ...CLAIMS, aud: undefined }),
  "another issuer": ({ token }) => token({ ...CLAIMS, iss: "https://evil.example" }),
  "a critical header": ({ token }) => token(CLAIMS, { crit: ["evil"], evil: 1 }),
  "a changed claim": ({ token }) => {
    const [head, , signature] = token(CLAIMS).split(".");
    return `${head}.${base64({ ...CLAIMS, plan: "max" })}.${signature}`;
  },
  "no token": () => "",
  "no dots": () => "evil",
  "many dots": () => ".".repeat(1000),
  "no object": () => `${base64(Buffer.from("null"))}.${base64(Buffer.from("1"))}.AA`,
  "deep JSON": () => `${base64(Buffer.from("[".repeat(5000)))}.e30.AA`,
};

describe("a token", () => {
  const valid = { ...CLAIMS, exp: 4_102_444_800 };

  it("that is forged has no claims, and with refuse_invalid a 401", async () => {
    const made = keys();
    const server = await serve(plans(`jwks_file: ${made.file}`));
    const strict = await serve(plans(`jwks_file: ${made.file}`, true));
    expect(await asked(server, made.token(valid))).toEqual({ status: 200, hasPlan: true });
    for (const [name, forge] of Object.entries(FORGED)) {
      const token = forge(made);
      expect([name, await asked(server, token)]).toEqual([name, { status: 200, hasPlan: false }]);
      expect([name, (await asked(strict, token)).status]).toEqual([name, 401]);
    }
    expect(await taken(server)).toBe(1 + Object.keys(FORGED).length);
    expect(await taken(strict)).toBe(0);
  });

  it("whose keys are away, or do not come, is answered with 503 and takes nothing", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    atEnd(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    for (const uri of ["http://127.0.0.1:1/", `http://127.0.0.1:${port}/`]) {
      const server = await serve(plans(`jwks_uri: "${uri}"`));
      expect((await asked(server, keys().token(valid))).status).toBe(503);
      expect(await taken(server)).toBe(0);
    }
  });
});
