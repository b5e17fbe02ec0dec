import { createRequire } from "node:module";
import { beforeEach, describe, expect, it } from "vitest";
import { descriptor, send, serve, type TestServer } from "../../support/service.ts";

const require = createRequire(import.meta.url);
const { default: Ajv } = require("ajv/dist/2020.js");

const RULES = `
domain: shop
descriptors:
  - key: user
    rate_limit: { unit: hour, requests_per_unit: 5, max_reserved: 10 }
  - key: report
    rate_limit: { kind: concurrency, capacity: 1, ttl: 30s }
  - key: staff
    rate_limit: { unlimited: true }
`;

let server: TestServer;
type Document = {
  readonly components: {
    readonly schemas: { readonly [name: string]: { readonly properties: object } };
  };
};
let document: Document;
beforeEach(async () => {
  server = await serve(RULES, { adminToken: "sesame-sesame-sesame" });
  document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
});

/** What the document, at a place, has against a value. */
function complaints(place: readonly string[], value: unknown): unknown {
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema(document, "api");
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll("/", "~1"))).join("/");
  const validate = ajv.getSchema(`api#/${pointer}`);
  if (validate === undefined) return `the document has nothing at ${pointer}`;
  return validate(value) ? [] : validate.errors;
}

const of = (entries: string, more: object = {}) => ({
  domain: "shop",
  descriptors: [{ ...descriptor(entries), ...more }],
});
const LEASE = "A".repeat(22);

describe("GET /openapi.json", () => {
  it.each([
    ["limit", of("user=ann"), 200],
    ["limit", of("user=ann", { count: 8, reserve: true }), 200],
    ["limit", of("staff=bob"), 200],
    ["limit", of("nothing=here"), 200],
    ["limit", of("user=ann", { count: 6 }), 429],
    ["check", { ...of("user=ann"), count: 2 }, 200],
    ["acquire", of("report=ann"), 200],
    ["acquire", of("report=ann", { count: 2 }), 429],
    ["acquire", of("user=ann"), 400],
    ["renew", { ...of("report=ann"), lease: LEASE }, 200],
    ["release", { ...of("report=ann"), lease: LEASE }, 200],
    ["value", of("user=ann"), 200],
    ["value", of("staff=bob"), 200],
    ["settle", of("user=ann", { reserved: 2, used: 1 }), 200],
    ["reset", of("user=ann"), 200],
    ["block", { ...of("user=ann"), for: 1_000 }, 200],
    ["block", { ...of("nothing=here"), for: 1_000 }, 404],
    ["unblock", of("user=ann"), 200],
  ])("says what %s takes and answers: %j %i", async (verb, request, status) => {
    const headers = {
      "content-type": "application/json",
      authorization: "Bearer sesame-sesame-sesame",
    };
    const reply = await send(server, `/v1/${verb}`, request, { headers });
    expect(reply.status).toBe(status);
    const route = ["paths", `/v1/${verb}`, "post"];
    const body = [...route, "requestBody", "content", "application/json", "schema"];
    expect(complaints(body, request)).toEqual([]);
    const type = reply.headers.get("content-type")?.split(";")[0] ?? "";
    const answer = [...route, "responses", String(status), "content", type, "schema"];
    expect(complaints(answer, reply.body)).toEqual([]);
  });

  it("names every field of an answer", async () => {
    const acquired = await send(server, "/v1/acquire", of("report=ann"));
    const properties = document.components.schemas.LimitResponse?.properties ?? {};
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(acquired.body)));
    const schema = ["components", "schemas", "LimitResponse"];
    expect(complaints(schema, { ...acquired.body, lease: 7 })).not.toEqual([]);
  });
});
