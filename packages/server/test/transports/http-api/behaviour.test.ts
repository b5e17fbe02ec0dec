/** The middleware's behaviour table, through `/auth`. */
import { HERE, type Step } from "../../../../spillway/test/http/middleware/row.ts";
import { serve } from "../../support/service.ts";
import { describeRules, type RuleHost } from "../behaviour/behaviour.ts";
import { RULES_LACK } from "../behaviour/lacks.ts";

const authHost: RuleHost = {
  name: "/auth",
  lacks: {
    ...RULES_LACK,
    "a proxy that asks does not report ends": [
      "in flight while the handler works, and not after",
      "as many in flight as there may be",
      "in flight, and a handler that throws",
      "in flight, and a client that goes away before the answer",
      "in flight, and a client that goes away in the middle of the answer",
      "in flight until a stream is over",
      "in flight, and HEAD",
      "in flight, and an answer without a body",
      "what the shedder admits is in flight until it is over",
      "what the shedder refuses is charged nothing",
      "a shedder alone",
      "who goes away before the answer is not in flight any more",
      "what is skipped is not shed",
      "in shadow, what the shedder refuses is served",
    ],
    "web pages may not ask": [
      "a preflight, which anybody can send to a handler that serves every method",
      "a request of another origin, whose scripts may read the headers",
    ],
    "the proxy that asks names the client": [
      "X-Forwarded-For from nobody who is believed",
      "Forwarded from nobody who is believed",
      "a header of proxies, with a key that needs no address",
      "one proxy, and a forged entry",
      "two proxies",
      "proxies by their addresses",
      "a proxy that is not believed",
      "an entry that is no address",
      "no header from a proxy that is believed",
      "an IPv6 client",
      "an IPv4 client as IPv6 spells it",
      "Forwarded",
      "a Forwarded in which a stranger has left a quote open, before what the proxy says",
      "CF-Connecting-IP",
      "CF-Connecting-IP from somewhere else",
      "everybody is believed",
    ],
  },
  asked,
  async start({ service }) {
    const { url, app } = await serve("domain: unused", { service });
    return {
      port: Number(new URL(url).port),
      path: "/auth/nginx",
      connections: async () => 0,
      close: async () => {
        await app.close();
      },
    };
  },
};

/** The request of a proxy that asks, which the program would answer if it is admitted. */
function asked(step: Step): Step {
  const { method = "GET", headers, gets } = step;
  const original = {
    "X-Original-Method": method,
    "X-Original-URI": "/",
    "X-Original-Host": "shop.example",
    "X-Forwarded-For": HERE,
  };
  return { ...step, headers: { ...original, ...headers }, ...(gets && { gets: answered(gets) }) };
}

type Answer = NonNullable<Step["gets"]>;

/** What is admitted has no body, and Fastify names the characters of JSON. */
function answered(gets: Answer): Answer {
  if (gets.status === 200) return { ...gets, body: "" };
  const { "content-type": type, ...headers } = gets.headers ?? {};
  if (type !== PROBLEM) return gets;
  return { ...gets, headers: { ...headers, "content-type": `${PROBLEM}; charset=utf-8` } };
}

const PROBLEM = "application/problem+json";

describeRules(authHost);
