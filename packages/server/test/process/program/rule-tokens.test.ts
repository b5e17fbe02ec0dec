/** `rules`: tokens, and keys that are not known. */
import { generateKeyPairSync, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { START } from "../../support/service.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { opened, startNode } from "./rule-scene.ts";

const TOKENS = `
domain: shop
jwt_providers:
  - { name: login, issuer: "https://login.example", jwks_file: KEYS }
http: [{ actions: [{ jwt_claims: { claim_path: [plan], descriptor_key: plan } }] }]
descriptors: [{ key: plan, rate_limit: { unit: day, requests_per_unit: 1 } }]
`;

it.each([false, true])("keys that are not known are reported, in shadow %s", async (shadow) => {
  const limits = await opened(TOKENS.replace("KEYS", "/nowhere/keys.json"));
  const events: { readonly type: string; readonly field?: string; readonly error?: unknown }[] = [];
  const onEvent = (event: (typeof events)[number]) => void events.push(event);
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  const bearer = { authorization: "Bearer eyJhbGciOiJSUzI1NiJ9.e30.AA" };
  for (const options of [{ onEvent }, { onEvent: undefined, warn }]) {
    const base = await startNode(limits, () => undefined, { shadow, ...options });
    expect((await fetch(base, { headers: bearer })).status).toBe(shadow ? 200 : 503);
    expect((await fetch(`${base}/%00`)).status).toBe(shadow ? 200 : 400);
  }
  expect(events).toEqual([expect.objectContaining({ type: "failed", field: "limits" })]);
  expect(warnings).toEqual([expect.stringContaining("limits of a route failed: ")]);
});

it("tokens are verified by the clock of the rules", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const keys = join(temporaryDirectory(), "keys.json");
  writeFileSync(
    keys,
    JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), alg: "EdDSA" }] }),
  );
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  // Valid at the clock's time alone, which is not the machine's.
  const exp = START / 1000 + 60;
  const claims = { iss: "https://login.example", plan: "free", exp };
  const signed = `${part({ alg: "EdDSA" })}.${part(claims)}`;
  const signature = sign(null, Buffer.from(signed), privateKey).toString("base64url");
  const limits = await opened(TOKENS.replace("KEYS", keys));
  const base = await startNode(limits, () => undefined);
  const bearer = { authorization: `Bearer ${signed}.${signature}` };
  const statuses: number[] = [];
  for (let each = 0; each < 2; each++)
    statuses.push((await fetch(base, { headers: bearer })).status);
  expect(statuses).toEqual([200, 429]);
});
