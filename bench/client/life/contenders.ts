/** Clients of one process, by name: each sends what is wished in its own way, and rejects or not as it does. */
import { limitedFetch } from "spillway/client";
import { patientAxios, patientOctokit } from "../contenders.ts";

/** What all of them understand; only `limitedFetch` reads `spillway`. */
export type Init = {
  readonly method?: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  readonly signal?: AbortSignal;
  readonly spillway?: { readonly count: number; readonly repeat: "refused" };
};
/** Sends it, and resolves to its status. */
export type Send = (url: string, init: Init) => Promise<number>;
/** How a situation would have it. */
export type Setting = { readonly wait?: number | undefined; readonly rate?: number | undefined };

const PEERS = {
  "axios-retry": async () => {
    const client = await patientAxios();
    return async (url, { method = "GET", headers, body, signal }) => {
      const data = body === undefined ? {} : { data: body };
      const given = { url, method, headers: { ...headers }, ...data };
      return (await client.request(signal ? { ...given, signal } : given)).status;
    };
  },
  "Octokit's plugins": async () => {
    const octokit = await patientOctokit();
    return async (url, { method = "GET", headers, body, signal }) => {
      const given = { headers: { ...headers }, data: body, request: signal ? { signal } : {} };
      return (await octokit.request(`${method} ${url}`, given)).status;
    };
  },
  "p-throttle, given the rate, and p-retry": async ({ rate = 25 }) => {
    const { default: pThrottle } = await import("p-throttle");
    const { default: pRetry } = await import("p-retry");
    const send = pThrottle({ limit: rate, interval: 1000, strict: true })(plainly);
    const attempt = async (url: string, init: Init) => {
      const status = await send(url, init);
      if (status >= 400) throw new Error(`${status}`);
      return status;
    };
    return (url, init) => pRetry(() => attempt(url, init), { retries: 3, randomize: true });
  },
} satisfies { [name: string]: (setting: Setting) => Promise<Send> };

export type PeerName = keyof typeof PEERS;

export const CONTENDERS: { readonly [name: string]: (setting: Setting) => Promise<Send> } = {
  spillway: async ({ wait }) => {
    const api = limitedFetch(fetch, wait === undefined ? {} : { wait });
    return (url, init) => readWhole(api(url, init));
  },
  "bare fetch": async () => plainly,
  ...PEERS,
};

function plainly(url: string, init: Init): Promise<number> {
  return readWhole(fetch(url, init));
}

async function readWhole(answer: Promise<Response>): Promise<number> {
  const response = await answer;
  await response.text();
  return response.status;
}
