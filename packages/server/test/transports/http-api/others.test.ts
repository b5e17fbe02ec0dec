import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeEach, describe, expect, it } from "vitest";
import { createServer, createService, parseRules } from "../../../src/index.ts";
import { serve, type TestServer } from "../../support/service.ts";
import { SHOP } from "../../support/shop.ts";

let server: TestServer;
beforeEach(async () => {
  server = await serve(SHOP);
});

describe("GET /healthcheck", () => {
  it("says OK", async () => {
    const response = await fetch(`${server.url}/healthcheck`);
    expect([response.status, await response.text()]).toEqual([200, "OK"]);
  });

  it("minds no content type", async () => {
    for (const type of ["application/json", "text/plain", "nonsense/nonsense"]) {
      const init = { headers: { "content-type": type } };
      expect((await fetch(`${server.url}/healthcheck`, init)).status).toBe(200);
    }
  });
});

describe("GET /openapi.json", () => {
  const document = async () =>
    (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };

  it("is OpenAPI", async () => {
    const { valid, errors } = await new Validator().validate(await document());
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it("is the same bytes each time, and no more for HEAD", async () => {
    const bodies = [1, 2].map(async () => (await fetch(`${server.url}/openapi.json`)).text());
    const [first, second] = await Promise.all(bodies);
    expect(first).toBe(second);
    const { headers } = await fetch(`${server.url}/openapi.json`, { method: "HEAD" });
    expect(headers.get("content-type")).toContain("application/json");
    expect(headers.get("content-length")).toBe(String(Buffer.byteLength(first ?? "")));
  });

  it("tells of every route that is for callers", async () => {
    const { paths } = await document();
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(routes.toSorted()).toEqual([
      "get /auth/caddy",
      "get /auth/haproxy",
      "get /auth/nginx",
      "get /auth/traefik",
      "get /healthcheck",
      "get /livez",
      "get /readyz",
      "post /json",
      "post /v1/acquire",
      "post /v1/block",
      "post /v1/check",
      "post /v1/commands",
      "post /v1/limit",
      "post /v1/release",
      "post /v1/renew",
      "post /v1/reset",
      "post /v1/settle",
      "post /v1/unblock",
      "post /v1/value",
    ]);
  });
});

describe("a mistake of the service's own", () => {
  it("is told to the operator, not to the caller", async () => {
    const told: string[] = [];
    const service = createService({ rules: parseRules([{ name: "shop", text: SHOP }]) });
    const broken = { ...service, limit: () => Promise.reject(new Error("the disk is on fire")) };
    const warn = (message: string) => told.push(message);
    const app = await createServer({ service: broken, warn });
    const payload = { domain: "shop", descriptors: [{ entries: [{ key: "user", value: "ann" }] }] };
    const { statusCode, body } = await app.inject({ method: "POST", url: "/v1/limit", payload });
    expect(statusCode).toBe(500);
    expect(JSON.parse(body)).toMatchObject({ code: "internal" });
    expect(body).not.toContain("fire");
    expect(told.join()).toContain("the disk is on fire");
  });
});
