/** Browsers send what any page wants, with names that the page's owner chooses. */
import { describe, expect, it } from "vitest";
import { isLoopbackHost } from "../../../src/transports/http-api/web-pages.ts";
import { exchange, getText, postText } from "../../support/raw.ts";
import { descriptor, serve, type TestServer } from "../../support/service.ts";
import { startService } from "../../support/service-process.ts";
import { SHOP } from "../../support/shop.ts";

const ann = { domain: "shop", descriptors: [descriptor("user=ann")] };
const ROUTES = ["/v1/limit", "/v1/check", "/v1/reset", "/json"];
const LAST = { Connection: "close" };
const EVIL = { Host: "evil.example:8080", Origin: "http://evil.example:8080" };
/** What a form, or a script, can send anywhere without asking. */
const PLAIN = { "Content-Type": "text/plain" };

type Place = { readonly url: string };
type Fields = Readonly<Record<string, string>>;

/** The status, and the code of a problem. */
async function post(server: Place, path: string, fields: Fields): Promise<string> {
  const answer = await exchange(server, postText(path, ann, { ...fields, ...LAST }));
  const [, status = ""] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
  const [, code = ""] = /"code":"([a-z-]+)"/.exec(answer) ?? [];
  return `${status} ${code}`.trim();
}

async function expectUntouched(server: TestServer): Promise<void> {
  const answer = await exchange(server, postText("/v1/check", ann, LAST));
  expect(answer).toContain('"remaining":4');
}

describe.each(ROUTES)("%s", (path) => {
  it("answers no name but this machine's while nothing else guards it", async () => {
    const server = await serve(SHOP);
    for (const fields of [EVIL, { Host: "evil.example" }, { Host: "127.0.0.1.evil.example" }]) {
      expect(await post(server, path, fields)).toBe("403 foreign-host");
    }
    await expectUntouched(server);
  });

  it("answers this machine's names", async () => {
    for (const Host of ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "limits.localhost"]) {
      const server = await serve(SHOP);
      expect(await post(server, path, { Host })).toBe("200");
      expect(await post(server, path, { Host, Origin: `http://${Host}` })).toBe("200");
    }
  });

  it.each([
    [{ Origin: "https://evil.example" }],
    [{ Origin: "http://localhost:3000" }],
    [{ Origin: "null" }],
    [{ Origin: "" }],
    [{ "Sec-Fetch-Site": "cross-site" }],
    [{ "Sec-Fetch-Site": "same-site" }],
    [{ Origin: "https://evil.example", "Sec-Fetch-Site": "none" }],
  ])("answers no web page: %s", async (fields) => {
    const server = await serve(SHOP);
    expect(await post(server, path, fields)).toBe("403 foreign-origin");
    await expectUntouched(server);
  });

  it("answers no web page on other addresses, nor with a token", async () => {
    const authorized = { ...EVIL, Authorization: "Bearer sesame-sesame-sesame" };
    const guarded = await serve(SHOP, { adminToken: "sesame-sesame-sesame" });
    expect(await post(guarded, path, authorized)).toBe("403 foreign-origin");
    const open = await serve(SHOP, { adminToken: "sesame-sesame-sesame" }, "0.0.0.0");
    expect(await post(open, path, authorized)).toBe("403 foreign-origin");
  });

  it("answers to any name where there is a token", async () => {
    const server = await serve(SHOP, { adminToken: "sesame-sesame-sesame" });
    const fields = { Host: "limits.example", Authorization: "Bearer sesame-sesame-sesame" };
    expect(await post(server, path, fields)).toBe("200");
  });

  it("answers the pages that it was told to", async () => {
    const one = await serve(SHOP, { allowOrigins: ["https://shop.example"] });
    const fields = { Origin: "https://shop.example", "Sec-Fetch-Site": "cross-site" };
    expect(await post(one, path, fields)).toBe("200");
    expect(await post(one, path, { Origin: "https://shop.example:8443" })).toContain("403");
    const all = await serve(SHOP, { allowOrigins: ["*"] });
    expect(await post(all, path, fields)).toBe("200");
    expect(await post(all, path, { "Sec-Fetch-Site": "same-origin" })).toBe("200");
  });
});

it("the command line says whose pages may call", async () => {
  const args = ["--allow-origin", "https://shop.example, http://localhost:3000"];
  await using service = await startService({ rules: SHOP, args });
  expect(await post(service, "/v1/limit", { Origin: "http://localhost:3000" })).toBe("200");
  expect(await post(service, "/v1/limit", { Origin: "http://localhost:4000" })).toContain("403");
});

it("/json can't be spent by a page's form, whatever it says that it sends", async () => {
  const server = await serve(SHOP);
  const fields = { ...PLAIN, Origin: "https://evil.example" };
  expect(await post(server, "/json", fields)).toBe("403 foreign-origin");
  await expectUntouched(server);
  expect(await post(server, "/json", PLAIN)).toBe("200");
});

it("everybody may ask for the health and the description", async () => {
  const server = await serve(SHOP);
  for (const path of ["/healthcheck", "/openapi.json"]) {
    expect(await exchange(server, getText(path, { ...EVIL, ...LAST }))).toContain(" 200 OK");
  }
});

it("a client of HTTP/1.0 names no host", async () => {
  const server = await serve(SHOP);
  const old = postText("/v1/limit", ann).replace("HTTP/1.1", "HTTP/1.0");
  expect(await exchange(server, old.replace("Host: localhost\r\n", ""))).toContain(" 200 OK");
});

it.each(["", ":80", "localhost.evil.example", "127.0.0.1:80:80", "[::1].evil.example", "10.0.0.1"])(
  "%j is no name of this machine",
  (host) => expect(isLoopbackHost(host)).toBe(false),
);
