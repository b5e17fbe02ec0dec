/** Who is believed about a client's address, and what web pages of other origins may read. */
import type { Trust } from "spillway/http";
import { describe, expect, it } from "vitest";
import { proxyTo, rawUpstream } from "./scene.ts";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** Returns statuses of logins that name these clients, and what the upstream saw. */
async function logins(trust: Trust | undefined, clients: readonly string[]) {
  const upstream = await rawUpstream((_, socket) => void socket.write(ANSWER));
  const { url } = await proxyTo(upstream.url, { trust });
  const statuses: number[] = [];
  for (const client of clients) {
    const headers = { "x-forwarded-for": client, "x-forwarded-proto": "https" };
    statuses.push((await fetch(`${url}/login`, { headers })).status);
  }
  return { statuses, seen: upstream.received.join("") };
}

// Two logins a minute for each address.
describe("X-Forwarded-For", () => {
  const THREE = ["203.0.113.1", "203.0.113.2", "203.0.113.3"];

  it("of a client is not believed, and not forwarded", async () => {
    const { statuses, seen } = await logins(undefined, THREE);
    expect(statuses).toEqual([200, 200, 429]);
    expect(seen).toMatch(/X-Forwarded-For: 127\.0\.0\.1\r\nX-Forwarded-Proto: http\r\n/);
    expect(seen).not.toContain("203.0.113");
  });

  it.each([{ trust: 1 }, { trust: ["loopback"] }, { trust: ["127.0.0.0/8"] }])(
    "of a proxy is believed, and appended to: $trust",
    async ({ trust }) => {
      const { statuses, seen } = await logins(trust, THREE);
      expect(statuses).toEqual([200, 200, 200]);
      expect(seen).toMatch(
        /X-Forwarded-For: 203\.0\.113\.3, 127\.0\.0\.1\r\nX-Forwarded-Proto: https\r\n/,
      );
    },
  );

  it("is read from the right: what a client has written before it is not believed", async () => {
    const forged = THREE.map((address) => `${address}, 198.51.100.7`);
    expect((await logins(1, forged)).statuses).toEqual([200, 200, 429]);
  });

  it("of a stranger is not believed, beside a proxy that is", async () => {
    expect((await logins(["10.0.0.0/8"], THREE)).statuses).toEqual([200, 200, 429]);
  });

  it("counts a network of IPv6 as one client", async () => {
    const one = ["2001:db8:0:7::1", "2001:db8:0:7::2", "2001:DB8:0:7:1::3", "2001:db8:0:8::1"];
    expect((await logins(1, one)).statuses).toEqual([200, 200, 429, 200]);
  });
});

describe("a page of another origin", () => {
  const headers = { origin: "https://page.example" };
  const EXPOSED = "Retry-After, RateLimit-Policy, RateLimit";

  it("may read what is left, and when to come back", async () => {
    const upstream = await rawUpstream((_, socket) => void socket.write(ANSWER));
    const { url } = await proxyTo(upstream.url);
    for (const status of [200, 200, 429]) {
      const response = await fetch(`${url}/login`, { headers });
      expect(response.status).toBe(status);
      expect(response.headers.get("access-control-expose-headers")).toBe(EXPOSED);
    }
    const unlimited = await fetch(`${url}/a`, { headers });
    expect(unlimited.headers.get("access-control-expose-headers")).toBeNull();
  });

  it("may still read what its upstream exposes", async () => {
    const own = "Access-Control-Expose-Headers: X-Own\r\nAccess-Control-Allow-Origin: *\r\n";
    const answer = ANSWER.replace("\r\n\r\n", `\r\n${own}\r\n`);
    const upstream = await rawUpstream((_, socket) => void socket.write(answer));
    const { url } = await proxyTo(upstream.url);
    const response = await fetch(`${url}/login`, { headers });
    expect(response.headers.get("access-control-expose-headers")).toBe(`X-Own, ${EXPOSED}`);
    const same = await fetch(`${url}/login`);
    expect(same.headers.get("access-control-expose-headers")).toBe("X-Own");
  });
});
