/** A wrong provider of tokens is one mistake, however many items use it. */
import { expect, it } from "vitest";
import { problemsOf } from "../../support/rules.ts";

const rulesWith = (providers: string, action = "") => `
domain: shop
jwt_providers: [${providers}]
http:
  - actions: [{ jwt_claims: { claim_path: [sub], descriptor_key: user${action} } }]
  - actions: [{ jwt_claims: { claim_path: [plan], descriptor_key: plan${action} } }]
`;

const ok = '{ name: other, issuer: "https://other.example", jwks_file: k.json }';
const wrong = '{ name: login, issuer: "https://login.example" }';
const nameless = '{ issuer: "https://login.example", jwks_file: k.json }';

it.each([
  ["the only one", wrong, ""],
  ["one that is named", `${wrong}, ${ok}`, ", provider: login"],
  ["one without a name", nameless, ""],
  ["one without a name beside others", `${nameless}, ${ok}`, ", provider: login"],
  ["no map", "login", ""],
])("%s is reported once, where it is wrong", (_, providers, action) => {
  expect(problemsOf(rulesWith(providers, action)).map(({ line }) => line)).toEqual([3]);
});

it.each([
  ["a name that no provider has", `${wrong}, ${ok}`, ", provider: logn"],
  ["no name, with two providers", `${wrong}, ${ok}`, ""],
])("%s is another mistake", (_, providers, action) => {
  expect(problemsOf(rulesWith(providers, action)).map(({ line }) => line)).toEqual([3, 5, 6]);
});
