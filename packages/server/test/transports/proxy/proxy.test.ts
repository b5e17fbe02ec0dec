import { describe, expect, it } from "vitest";
import { proxyTo, upstreamOf } from "./scene.ts";

describe("the proxy", () => {
  it("forwards a request and its response, and says what is left", async () => {
    const to = await upstreamOf((request, response) => {
      response.writeHead(201, "Made", { "x-own": "yes", "content-type": "text/plain" });
      response.end(`${request.method} ${request.url}`);
    });
    const { url } = await proxyTo(to);
    const response = await fetch(`${url}/login?a=1`);
    expect(response.status).toBe(201);
    expect(response.statusText).toBe("Made");
    expect(response.headers.get("x-own")).toBe("yes");
    expect(response.headers.get("ratelimit")).toMatch(/^"shop\/.*";r=1;t=\d+$/);
    expect(await response.text()).toBe("GET /login?a=1");
  });

  it("refuses what limits refuse, by any spelling, and asks no upstream", async () => {
    let asked = 0;
    const to = await upstreamOf((_, response) => {
      asked++;
      response.end();
    });
    const { url } = await proxyTo(to);
    await fetch(`${url}/login`);
    await fetch(`${url}/LOGIN/`);
    const refused = await fetch(`${url}/%6cogin;a=1`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("content-type")).toContain("application/problem+json");
    expect(await refused.json()).toMatchObject({ status: 429 });
    expect(asked).toBe(2);
  });

  it("forwards bodies in both directions", async () => {
    const to = await upstreamOf((request, response) => request.pipe(response));
    const { url } = await proxyTo(to);
    const body = "x".repeat(1_000_000);
    const response = await fetch(`${url}/echo`, { method: "POST", body });
    expect(await response.text()).toBe(body);
  });
});
