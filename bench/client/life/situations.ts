/** The situations, with the servers that `packages/spillway/test/client/life.ts` has in virtual time. */
import {
  after,
  allSlowly,
  BUSY,
  changing,
  hanging,
  limited,
  OK,
  openai,
  redirecting,
  type Server,
  SILENT,
  slowly,
  stray,
  underWayAtMost,
  withRoute,
} from "../../../packages/spillway/test/servers/life/models.ts";
import {
  openai as openaiTokens,
  tokenServer,
} from "../../../packages/spillway/test/servers/life/tokens.ts";
import {
  goodServed,
  hung,
  ofAccount,
  rates,
  redirected,
  served,
  tokens,
  used,
} from "./measures.ts";
import type { Situation } from "./situation.ts";

const THROTTLE = "p-throttle, given the rate, and p-retry";
const MINUTE = 60_000;
const BUCKET = 2000;

/** Answers of 5 s, of a server that allows 5 a second. */
const slow = (name: string, server: () => Server): Situation => ({
  name,
  server,
  wanted: 7.5,
  wait: MINUTE,
  peer: THROTTLE,
  rate: 5,
  measure: used(5),
});

const noisy = (percent: number): Situation => ({
  name: `${percent} % stray 503s`,
  server: () => stray(() => percent / 100),
  wanted: 25,
  peer: "axios-retry",
  measure: served(20),
});

/** Some requests go to a route of its own. */
const routes = (random: () => number) => ({ path: random() < 0.3 ? "/bad" : "/good" });

export const SITUATIONS: readonly Situation[] = [
  slow("slow answers, Retry-After", () => slowly(5000, limited(5, after(1)))),
  slow("slow answers, silent 429s", () => slowly(5000, limited(5, SILENT))),
  slow("slow answers, silent 429s as slow", () => allSlowly(5000, limited(5, SILENT))),
  slow("slow answers, OpenAI headers", () => openai(5, 5000, 30)),
  noisy(1),
  noisy(10),
  {
    name: "10 % stray 503s, then none",
    server: ({ lasting }) => stray((at) => (at < lasting / 2 ? 0.1 : 0)),
    wanted: 25,
    peer: "axios-retry",
    measure: served(20, 0.6),
  },
  {
    name: "one bad route",
    server: () => withRoute(() => ({ status: 500, takes: 20 })),
    wanted: 25,
    wish: routes,
    peer: "axios-retry",
    measure: goodServed,
  },
  {
    name: "one route with a limit of its own",
    server: () => withRoute(limited(2, after(1))),
    wanted: 25,
    wish: routes,
    peer: "Octokit's plugins",
    measure: goodServed,
  },
  {
    name: "limit by bare 503s",
    server: () => slowly(20, limited(20, BUSY)),
    wanted: 40,
    peer: THROTTLE,
    rate: 20,
    measure: used(20),
  },
  {
    name: "hanging server, AbortSignal.timeout",
    server: ({ lasting }) => hanging(lasting / 3, (2 * lasting) / 3),
    wanted: 20,
    wish: () => ({ timeout: 1000 }),
    peer: "axios-retry",
    measure: hung(20),
  },
  {
    name: "two keys on one origin",
    server: () => {
      const strict = limited(1, after(30), 5);
      return (request) =>
        request.headers.get("authorization") === "Bearer a"
          ? strict(request)
          : { ...OK, takes: 20 };
    },
    wanted: 10,
    wish: (random) => ({ key: random() < 0.5 ? "a" : "b", path: "/good" }),
    peer: "Octokit's plugins",
    measure: ofAccount,
  },
  ...(["silent", "Retry-After"] as const).map(
    (word): Situation => ({
      name: `limit 10, 3, 10 a second, ${word}`,
      server: ({ lasting }) =>
        changing(
          (at) => (at >= lasting / 3 && at < (2 * lasting) / 3 ? 3 : 10),
          word === "silent" ? SILENT : after(1),
        ),
      wanted: 15,
      wait: MINUTE,
      peer: "axios-retry",
      measure: rates,
    }),
  ),
  {
    name: "redirects to an origin with a limit",
    server: ({ port }) => {
      const files = { host: "localhost", origin: `http://localhost:${port}` };
      return redirecting(files, slowly(20, limited(10, after(1))));
    },
    wanted: 12,
    wait: MINUTE,
    peer: THROTTLE,
    rate: 10,
    measure: redirected(10),
  },
  {
    name: "five under way",
    server: () => underWayAtMost(5),
    wanted: 50,
    peer: "Octokit's plugins",
    measure: used(5 / 0.2),
  },
  {
    name: "token quota",
    server: ({ lasting }) =>
      tokenServer({
        rate: BUCKET,
        counting: "actual",
        headers: openaiTokens,
        takes: (random) => 300 + 1700 * random(),
        period: lasting / 11,
      }).server,
    wanted: 3,
    wish: (random) => {
      const estimate = Math.round(200 + 1600 * random());
      return { tokens: { estimate, actual: Math.round(estimate * (0.85 + 0.3 * random())) } };
    },
    wait: MINUTE,
    peer: "axios-retry",
    measure: tokens(BUCKET),
  },
];
