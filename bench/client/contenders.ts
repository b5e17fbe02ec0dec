/**
 * Clients, each with the settings that its own page recommends for servers with limits. Loaded when they are
 * needed: each is a process of its own.
 */
import { limitedFetch } from "spillway/client";
import { CLIENTS, RATE } from "./setting.ts";

/** Asks a server once, in its own way. */
export type Ask = (url: string) => Promise<unknown>;

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** Makes one client of each kind. */
export const CONTENDERS: { readonly [name: string]: () => Ask | Promise<Ask> } = {
  spillway: () => {
    const api = limitedFetch(fetch, { wait: 10_000 });
    return async (url) => (await api(url)).text();
  },
  "bare fetch": () => async (url) => (await fetch(url)).text(),
  ky: async () => {
    const { default: ky } = await import("ky");
    return (url) => ky(url).text();
  },
  got: async () => {
    const { default: got } = await import("got");
    return (url) => got(url).text();
  },
  "axios-retry": async () => {
    const client = await patientAxios();
    return (url) => client.get(url);
  },
  "Octokit's plugins": async () => {
    const octokit = await patientOctokit();
    return (url) => octokit.request(`GET ${url}`);
  },
  "p-retry": async () => {
    const { default: pRetry } = await import("p-retry");
    const attempt = async (url: string) => {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${response.status}`);
      return response.text();
    };
    return (url) => pRetry(() => attempt(url), { retries: 3, randomize: true });
  },
  "p-throttle, given its part": async () => {
    const { default: pThrottle } = await import("p-throttle");
    const settings = { limit: RATE / CLIENTS, interval: 1000, strict: true };
    const perServer = new Map<string, Ask>();
    return (url) => {
      // All functions of one throttle share it.
      const throttled = () =>
        pThrottle(settings)(async (url: string) => (await fetch(url)).text()) as Ask;
      const known = perServer.get(url) ?? throttled();
      perServer.set(url, known);
      return known(url);
    };
  },
};

export async function patientAxios() {
  const { default: axios } = await import("axios");
  const { default: axiosRetry } = await import("axios-retry");
  const client = axios.create();
  const retryCondition = axiosRetry.isRetryableError;
  axiosRetry(client, { retryDelay: axiosRetry.exponentialDelay, retryCondition });
  return client;
}

export async function patientOctokit() {
  const { Octokit } = await import("@octokit/core");
  const { retry } = await import("@octokit/plugin-retry");
  const { throttling } = await import("@octokit/plugin-throttling");
  const Patient = Octokit.plugin(retry, throttling);
  const again = (_wait: number, _options: object, _octokit: object, count: number) => count < 3;
  return new Patient({
    log: SILENT,
    throttle: { onRateLimit: again, onSecondaryRateLimit: again },
  });
}
