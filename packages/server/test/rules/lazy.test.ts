/** Libraries that few rules need are loaded with the first rule that needs them. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** Reports which of the two libraries a program of the package has loaded after each step. */
const PROGRAM = `
import { registerHooks } from "node:module";
const loaded = new Set();
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "refa" || specifier === "jose") loaded.add(specifier);
    return next(specifier, context);
  },
});
const steps = [];
const note = () => steps.push([...loaded].join());
const { parseRules, classifier, normalRequest } = await import("spillway-server");
note();
const rulesOf = (http) => parseRules([{ name: "r", text: "domain: shop\\n" + http }]);
const plain = rulesOf('http: [{ match: { path: "/a" }, actions: [{ remote_address: {} }] }]');
const request = normalRequest({
  method: "GET", target: "/a", host: "h", address: () => "192.0.2.1",
  header: (name) => (name === "authorization" ? "Bearer a.b.c" : undefined),
});
await classifier()(plain.http.get("shop"), request);
note();
rulesOf('http: [{ actions: [{ header_value_match: { descriptor_value: a, headers: [{ name: a, string_match: { safe_regex: { regex: "a+" } } }] } }] }]');
note();
const tokens = rulesOf('jwt_providers: [{ name: a, issuer: b, jwks_file: /nowhere }]\\nhttp: [{ actions: [{ jwt_claims: { claim_path: [sub], descriptor_key: u } }] }]');
note();
await classifier()(tokens.http.get("shop"), request).catch(() => {});
note();
console.log(JSON.stringify(steps));
`;

it("refa with the first pattern, jose with the first token", async () => {
  const args = ["--input-type=module", "--eval", PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual(["", "", "refa", "refa", "refa,jose"]);
});
