/** Clients, each with the settings that its own page recommends for servers with limits. */
import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import axios from "axios";
import axiosRetry from "axios-retry";
import got from "got";
import ky from "ky";
import pThrottle from "p-throttle";
import { limitedFetch } from "spillway/client";
import { CLIENTS, RATE } from "./setting.ts";

/** Asks a server once, in its own way. */
export type Ask = (url: string) => Promise<unknown>;

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** Makes one client of each kind. */
export const CONTENDERS: { readonly [name: string]: () => Ask } = {
  spillway: () => {
    const api = limitedFetch(fetch, { wait: 10_000 });
    return async (url) => (await api(url)).text();
  },
  "bare fetch": () => async (url) => (await fetch(url)).text(),
  ky: () => (url) => ky(url).text(),
  got: () => (url) => got(url).text(),
  "axios-retry": () => {
    const client = axios.create();
    const retryCondition = axiosRetry.isRetryableError;
    axiosRetry(client, { retryDelay: axiosRetry.exponentialDelay, retryCondition });
    return (url) => client.get(url);
  },
  "Octokit's plugins": () => {
    const Patient = Octokit.plugin(retry, throttling);
    const again = (_wait: number, _options: object, _octokit: object, count: number) => count < 3;
    const octokit = new Patient({
      log: SILENT,
      throttle: { onRateLimit: again, onSecondaryRateLimit: again },
    });
    return (url) => octokit.request(`GET ${url}`);
  },
  "p-throttle, given its part": () => {
    const throttle = pThrottle({ limit: RATE / CLIENTS, interval: 1000, strict: true });
    const perServer = new Map<string, Ask>();
    return (url) => {
      const known =
        perServer.get(url) ?? throttle(async (url: string) => (await fetch(url)).text());
      perServer.set(url, known);
      return known(url);
    };
  },
};
