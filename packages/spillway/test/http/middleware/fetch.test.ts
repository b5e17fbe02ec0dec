import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { limited } from "../../../src/http/middleware/fetch/index.ts";
import { MINUTE, RateLimiter } from "../../../src/index.ts";
import { describeBehaviour } from "./behaviour.ts";
import { fetchHost } from "./hosts/fetch.ts";
import { describeRaces } from "./races.ts";

describeBehaviour(fetchHost);
describeRaces(fetchHost);

/** Until garbage was collected. */
async function untilCollected(isDone: () => boolean): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  while (!isDone()) {
    collect();
    await setImmediate();
  }
}

test("a response that nobody reads holds its lease no longer than it is there", async () => {
  const limiter = new RateLimiter({ reports: { kind: "concurrency", capacity: 1, ttl: MINUTE } });
  const report = limited(limiter, { limit: "reports", key: "all" }, () => new Response("long"));
  const ask = () => report(new Request("http://shop.example")) as Promise<Response>;
  let kept: Response | undefined = await ask();
  await untilCollected(() => true);
  expect((await ask()).status).toBe(429);
  expect(await kept.text()).toBe("long");
  kept = undefined;
  await ask();
  await untilCollected(() => limiter.value("reports", { key: "all" }).remaining === 1);
});

test("no answer at all is for the runtime, and ends the lease of who asked for no WebSocket", async () => {
  const limiter = new RateLimiter({ chats: { kind: "concurrency", capacity: 1, ttl: MINUTE } });
  const silent = limited(limiter, { limit: "chats", key: "all" }, () => undefined);
  expect(await silent(new Request("http://shop.example"))).toBeUndefined();
  await setImmediate();
  expect(limiter.value("chats", { key: "all" }).remaining).toBe(1);
});

/** What SvelteKit passes to an endpoint, as far as the page uses it. */
type Event = { readonly request: Request; getClientAddress(): string };

const eventFrom = (address: string): Event => ({
  request: new Request("http://shop.example/search"),
  getClientAddress: () => address,
});

test("an endpoint that is passed an event, as SvelteKit's, is limited by the event's address", async () => {
  const limiter = new RateLimiter({ search: { kind: "token bucket", rate: 1, period: MINUTE } });
  const peer = (_: Request, event: Event) => event.getClientAddress();
  const search = limited(limiter, { limit: "search", peer }, (request, event) =>
    Response.json([event.getClientAddress(), request.spillway.decision?.remaining]),
  );
  const GET = (event: Event) => search(event.request, event);
  const served = await GET(eventFrom("203.0.113.7"));
  expect(await served.json()).toEqual(["203.0.113.7", 0]);
  expect((await GET(eventFrom("203.0.113.7"))).status).toBe(429);
  expect((await GET(eventFrom("203.0.113.8"))).status).toBe(200);
});

test("a hook of SvelteKit limits all routes, beside what they say themselves", async () => {
  const limiter = new RateLimiter({
    all: { kind: "token bucket", rate: 9, period: MINUTE },
    search: { kind: "token bucket", rate: 3, period: MINUTE },
  });
  type Handled = { readonly event: Event; resolve(event: Event): Promise<Response> };
  const peer = (_: Request, { event }: Handled) => event.getClientAddress();
  const route = { limit: "all", peer } as const;
  const every = limited(limiter, route, (_, { event, resolve }) => resolve(event));
  const search = limited(limiter, { limit: "search", key: "all" }, () => new Response("found"));
  const handle = (handled: Handled) => every(handled.event.request, handled);
  const event = eventFrom("203.0.113.7");
  const response = await handle({ event, resolve: async ({ request }) => search(request) });
  expect(response.headers.get("ratelimit")).toBe('"search";r=2;t=20, "all";r=8;t=7');
});

test("a response that can be neither changed nor copied goes out as it is", async () => {
  const limiter = new RateLimiter({ search: { kind: "token bucket", rate: 1, period: MINUTE } });
  const broken = limited(limiter, { limit: "search", key: "all" }, () => Response.error());
  expect((await broken(new Request("http://shop.example"))).status).toBe(0);
});
