/** Hosts by credentials, and how many are kept. */
import { expect, test } from "vitest";
import { Hosts } from "../../src/client/hosts/hosts.ts";
import { type ClientEvent, limitedFetch } from "../../src/client/index.ts";
import type { RequestStart } from "../../src/client/pace/request-starts.ts";
import { accountOf } from "../../src/client/requests/account.ts";
import { readRequest } from "../../src/client/requests/request.ts";
import { checkedClientOptions } from "../../src/client/settings.ts";
import { VirtualScheduler } from "./virtual-scheduler.ts";

const URL = "http://api.example/items";
const account = (headers: { readonly [name: string]: string }, url = URL) =>
  accountOf(readRequest(url, { headers }));

/** Signatures of one account, at two instants. */
const signed = (key: string, at: string) =>
  `AWS4-HMAC-SHA256 Credential=${key}/2026010${at}/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=${at}ab`;
const oauth = (key: string, at: string) =>
  `OAuth oauth_consumer_key="${key}", oauth_nonce="${at}", oauth_signature="${at}ab", oauth_token="t"`;

type Keyed = readonly [headers: { readonly [name: string]: string }, url: string];

test.each<[where: string, request: (key: string, at?: string) => Keyed]>([
  ["Authorization", (key: string) => [{ authorization: `Bearer ${key}` }, URL]],
  ["x-api-key", (key: string) => [{ "X-Api-Key": key }, URL]],
  ["api-key", (key: string) => [{ "api-key": key }, URL]],
  ["x-goog-api-key", (key: string) => [{ "x-goog-api-key": key }, URL]],
  ...["apikey", "private-token", "x-auth-token", "x-access-token", "x-rapidapi-key"].map(
    (name): [string, (key: string) => Keyed] => [name, (key) => [{ [name]: key }, URL]],
  ),
  ...["key", "api_key", "apikey", "access_token"].map((name): [string, (key: string) => Keyed] => [
    `?${name}=`,
    (key) => [{}, `${URL}?page=2&${name}=${key}`],
  ]),
  ["SigV4", (key: string, at = "1") => [{ authorization: signed(key, at) }, URL]],
  ["OAuth 1", (key: string, at = "1") => [{ authorization: oauth(key, at) }, URL]],
])("keys in %s are accounts of their own, as digests", (_, request) => {
  const of = (key: string, at?: string) => {
    const [headers, url] = request(key, at);
    return account(headers, url);
  };
  expect(of("alpha")).toBe(of("alpha", "2"));
  expect(of("alpha")).not.toBe(of("beta"));
  expect(of("alpha")).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  ["an object", { Authorization: "Bearer ada", "X-Page": "1" }],
  ["pairs", [["Authorization", "Bearer ada"]]],
  ["a flat list", ["X-Page", "1", "Authorization", "Bearer ada"]],
  [
    "a flat list of bytes",
    ["X-Page", "1", "Authorization", "Bearer ada"].map((text) => Buffer.from(text)),
  ],
  ["a map", new Map([["Authorization", "Bearer ada"]])],
  ["Headers", new Headers({ Authorization: "Bearer ada" })],
])("headers are seen in %s", (_, headers) => {
  const request = readRequest(URL, { headers });
  expect(request.header("authorization")).toBe("Bearer ada");
  expect(request.header("x-nothing")).toBeUndefined();
  expect(accountOf(request)).toBe(account({ authorization: "Bearer ada" }));
});

test("no credentials, and cookies, are none", () => {
  expect(account({})).toBe("");
  expect(account({ cookie: "session=1" })).toBe("");
  expect(account({}, `${URL}?monkey=1`)).toBe("");
});

test("what one account has used up holds no other, and no event names either", async () => {
  const time = new VirtualScheduler();
  const events: ClientEvent[] = [];
  const network = async (_url: string, init?: RequestInit) => {
    const isUsedUp = new Headers(init?.headers).get("x-api-key") === "secret-of-ada";
    return new Response("", isUsedUp ? { status: 429, headers: { "Retry-After": "1800" } } : {});
  };
  const { clock } = time;
  const onEvent = (event: ClientEvent) => void events.push(event);
  const api = limitedFetch(network, { scheduler: time, clock, wait: 1000, onEvent });
  const by = (key: string) => api(URL, { headers: { "x-api-key": key } });
  expect((await by("secret-of-ada")).status).toBe(429);
  expect((await by("secret-of-bob")).status).toBe(200);
  const held = await by("secret-of-ada").catch((error: unknown) => error);
  expect(held).toMatchObject({ code: "limited" });
  expect(events.length).toBeGreaterThan(1);
  const said = JSON.stringify([events, held, String(held)]);
  expect(said).not.toMatch(/secret|[0-9a-f]{32}/);
});

test("where a program says itself what has a limit, accounts are no matter", async () => {
  const time = new VirtualScheduler();
  const network = async (_url: string) =>
    new Response("", { status: 429, headers: { "Retry-After": "60" } });
  const { clock } = time;
  const options = { scheduler: time, clock, wait: 0, attempts: 1, hostOf: () => "all" };
  const api = limitedFetch(network as typeof fetch, options);
  expect((await api(URL, { headers: { "x-api-key": "a" } })).status).toBe(429);
  await expect(api(URL, { headers: { "x-api-key": "b" } })).rejects.toMatchObject({
    code: "limited",
  });
});

/** Hosts of which each reading of the clock is counted. */
function counted(maxHosts: number) {
  const time = new VirtualScheduler();
  let reads = 0;
  const scheduler = Object.assign(Object.create(time), {
    elapsed: () => {
      reads++;
      return time.elapsed();
    },
  });
  const settings = checkedClientOptions({ scheduler, clock: time.clock, maxHosts });
  const hosts = new Hosts(settings, maxHosts);
  const cost = (name: string) => {
    const before = reads;
    hosts.of(name, "");
    return reads - before;
  };
  return { hosts, cost };
}

test("a new host costs the same, however many there are, and however many are held", () => {
  const costs = [10, 10_000].map((most) => {
    const { hosts, cost } = counted(most);
    for (let index = 0; index < most; index++) {
      const host = hosts.of(`held ${index}`, "");
      const start = { at: 0, rate: undefined, held: 0, order: 0 };
      host.heard({
        outcome: "refused",
        advice: { retryAfter: 60_000, quotas: [] },
        start: { ...start, state: "refused", counted: "not yet" },
        isOfHost: true,
        status: 429,
        wait: 60_000,
      });
    }
    const each = Array.from({ length: 100 }, (_, index) => cost(`new ${index}`));
    expect(hosts.size).toBe(most);
    return Math.max(...each);
  });
  expect(costs[1]).toBe(costs[0]);
});

test("hosts that were too many while all were busy are not once they are idle", async () => {
  const time = new VirtualScheduler();
  const settings = checkedClientOptions({ scheduler: time, clock: time.clock, maxHosts: 10 });
  const hosts = new Hosts(settings, 10);
  const busy = Array.from({ length: 10_000 }, (_, index) => {
    const host = hosts.of(`busy ${index}`, "");
    let start: RequestStart | undefined;
    host.join({
      priority: "normal",
      isAgain: false,
      route: "GET /",
      deadline: 1000,
      isOver: false,
      go: (permit) => {
        start = permit.start;
      },
      refuse: () => {},
      fail: () => {},
    });
    return { host, start: start as RequestStart };
  });
  expect(hosts.size).toBe(10_000);
  for (const { host, start } of busy) host.brokenOff(start);
  // One that is known goes on being used, and no other is new.
  for (let request = 0; request < 1000; request++) hosts.of("busy 9999", "");
  expect(hosts.size).toBe(10);
});
