/** Options of `spillway proxy`, also read from the environment. */
import { InvalidArgumentError, Option } from "commander";
import { clientAddress, type Trust } from "spillway/http";
import { adminOptions } from "./admin-options.ts";
import { shadowOption } from "./answer-options.ts";
import { resourceOptions } from "./bound-options.ts";
import { drainOption } from "./drain-option.ts";
import { optionOf, switchOf } from "./option.ts";
import { toFile, toWhole } from "./readers.ts";
import { ruleOptions } from "./rule-options.ts";
import { addressOptions, outageOptions, type ServeOptions, STORE } from "./serve-options.ts";
import { type ShedOptions, shedOptions } from "./shed-options.ts";
import { schemaOption, storeOption } from "./store-options.ts";
import { telemetryOptions } from "./telemetry-options.ts";
import { timeOption } from "./time-option.ts";

export type ProxyServeOptions = ServeOptions &
  ShedOptions & {
    /** Origins, such as `http://127.0.0.1:3000`. At least one. */
    readonly to: readonly string[];
    readonly domain: string | undefined;
    readonly trust: Trust | undefined;
    readonly upstreamConnections: number;
    /** Times in milliseconds. */
    readonly connectTimeout: number;
    readonly headersTimeout: number;
    readonly idleTimeout: number;
    /** Files in PEM. */
    readonly cert: string | undefined;
    readonly key: string | undefined;
    /** Whether clients may choose HTTP/2 over TLS. */
    readonly http2: boolean;
  };

/** Creates the options. Each overrides its environment variable. */
export function proxyOptions(): readonly Option[] {
  return [
    ...upstreamOptions(),
    ...clientOptions(),
    ...shedOptions(),
    ...addressOptions(),
    storeOption({ about: STORE, usual: "memory" }),
    schemaOption(),
    ...outageOptions(),
    drainOption(),
    ...ruleOptions(),
    shadowOption(),
    ...resourceOptions(),
    ...telemetryOptions(),
    ...adminOptions(),
  ];
}

function upstreamOptions(): readonly Option[] {
  return [
    new Option(
      "--to <url>",
      "a server to forward to, such as http://127.0.0.1:3000. May be repeated",
    )
      .argParser(addOrigin)
      .makeOptionMandatory(),
    optionOf({
      flags: "--upstream-connections <number>",
      about: "the most requests in flight to one server",
      env: "SPILLWAY_UPSTREAM_CONNECTIONS",
      usual: 1000,
      read: toWhole({ least: 1, most: 100_000 }),
    }),
    ...upstreamTimes(),
  ];
}

function upstreamTimes(): readonly Option[] {
  return [
    timeOption({
      flags: "--connect-timeout <time>",
      about: "how long connecting to a server may take",
      env: "SPILLWAY_CONNECT_TIMEOUT",
      usual: "5s",
    }),
    timeOption({
      flags: "--headers-timeout <time>",
      about: "how long a server may take until its response begins",
      env: "SPILLWAY_HEADERS_TIMEOUT",
      usual: "60s",
    }),
    timeOption({
      flags: "--idle-timeout <time>",
      about: "how long a body may pause, in either direction",
      env: "SPILLWAY_IDLE_TIMEOUT",
      usual: "60s",
    }),
  ];
}

function clientOptions(): readonly Option[] {
  return [
    new Option("--domain <domain>", "the rule file to use, if several have an http section"),
    optionOf({
      flags: "--trust <proxies>",
      about:
        "the proxies in front of this one: their number, or their addresses, such as " +
        "10.0.0.0/8,loopback. Default: none",
      env: "SPILLWAY_TRUST",
      read: toTrust,
    }),
    optionOf({
      flags: "--cert <file>",
      about: "a certificate in PEM, for HTTPS",
      env: "SPILLWAY_CERT",
      read: toFile,
    }),
    optionOf({
      flags: "--key <file>",
      about: "its private key",
      env: "SPILLWAY_KEY",
      read: toFile,
    }),
    switchOf({
      flags: "--no-http2",
      about: "speak HTTP/1.1 only, also over TLS; the variable is false for that",
      env: "SPILLWAY_HTTP2",
    }),
  ];
}

function addOrigin(text: string, before: readonly string[] = []): readonly string[] {
  const url = URL.parse(text);
  const isOrigin =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    /^\/?$/.test(url.pathname + url.search + url.hash);
  if (isOrigin) return [...before, url.origin];
  throw new InvalidArgumentError(
    "Expected a server such as http://127.0.0.1:3000, without a path: paths are forwarded as " +
      "they are.",
  );
}

function toTrust(text: string): Trust {
  const trust = /^\d+$/.test(text) ? Number(text) : text.split(",").map((one) => one.trim());
  try {
    clientAddress({ trust });
    return trust;
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}
