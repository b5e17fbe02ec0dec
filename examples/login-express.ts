/**
 * A login form with Express. Three limits are taken together, before the password is checked:
 *
 * - ten failures an hour for an account from one address. Guessing stops, and only where it comes from.
 * - a hundred failures an hour for one address, whichever accounts it tries.
 * - a hundred failures an hour for an account, wherever they come from. Its units come back one by one, so
 *   that whoever wastes them all locks its owner out for 36 seconds, and not for an hour.
 *
 * A login that succeeds gives back what it took. `login-fastify.ts` is the same with Fastify.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express, { type Request } from "express";
import { HOUR, RateLimiter } from "spillway";
import { limited } from "spillway/express";
import { memoryStore } from "spillway/memory";
import { manualClock } from "spillway/testing";

// Leave the store out in an app: this one is here so that the story can let time go by.
const clock = manualClock();
const limiter = new RateLimiter(
  {
    accountFromAddress: { kind: "token bucket", rate: 10, period: HOUR },
    address: { kind: "token bucket", rate: 100, period: HOUR },
    account: { kind: "token bucket", rate: 100, period: HOUR },
  },
  { store: memoryStore({ clock }) },
);

/** One spelling of an account is one key. */
const accountOf = ({ body }: Request) => String(body?.email).trim().toLowerCase();
const failed = ({ status }: { status: number }) => (status < 400 ? 0 : 1);

const onlyFailures = limited(limiter, {
  trust: 1, // behind one proxy: leave it out where there is none
  limits: [
    {
      limit: "accountFromAddress",
      key: (request: Request, { address }) => [address, accountOf(request)],
      settle: ({ status }) => (status < 400 ? "reset" : undefined),
    },
    { limit: "address", settle: failed },
    { limit: "account", key: accountOf, settle: failed },
  ],
});

let checked = 0;
const isRight = async (password: unknown) => {
  checked++;
  return password === "correct horse";
};

const app = express();
app.use(express.json());
app.post("/login", onlyFailures, async (request, response) => {
  if (await isRight(request.body.password)) response.send("welcome");
  else response.status(401).send("wrong password");
});

type Login = { readonly from: string; readonly email: string; readonly password: string };

export async function story(): Promise<string[]> {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/login`;
  const logIn = async ({ from, ...body }: Login) => {
    const headers = { "content-type": "application/json", "x-forwarded-for": from };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    if (response.status !== 429) return response.text();
    return `come back in ${response.headers.get("retry-after")} s`;
  };
  try {
    return await lines(logIn);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function lines(logIn: (login: Login) => Promise<string>): Promise<string[]> {
  const owner = { from: "198.51.100.7", email: "ada@example.com", password: "correct horse" };
  const guess = { from: "192.0.2.1", email: "Ada@example.com ", password: "secret" };
  await Promise.all(Array.from({ length: 100 }, () => logIn(guess)));
  const seen = [`100 wrong passwords at once: ${checked} were tried`];
  seen.push(`the right one from there: ${await logIn({ ...owner, from: guess.from })}`);
  seen.push(`ada at home: ${await logIn(owner)}`);
  const addresses = Array.from({ length: 200 }, (_, n) => `203.0.113.${n}`);
  const before = checked;
  await Promise.all(addresses.map((from) => logIn({ ...guess, from })));
  seen.push(`one more from each of 200 addresses: ${checked - before} were tried`);
  seen.push(`ada at home: ${await logIn(owner)}`);
  clock.advance(36_000);
  seen.push(`ada, 36 seconds later: ${await logIn(owner)}`);
  return seen;
}

if (import.meta.main) console.log((await story()).join("\n"));
