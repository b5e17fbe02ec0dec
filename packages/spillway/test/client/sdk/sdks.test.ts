/** Real clients of language models over real sockets, against providers that keep to what they document. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { limitedFetch, llmTokens } from "../../../src/client/index.ts";
import { seededRandom } from "../../../src/testing/index.ts";
import { runs } from "../../runs.ts";
import { answerTo, anthropic, type Limits, openai, type Provider } from "./providers.ts";

type Ask = (prompt: string, max: number) => Promise<string>;
type Sdk = {
  readonly provider: (limits: Limits, first: number) => Provider;
  readonly limits: Limits;
  /** The unit of which there is least. */
  readonly scarce: string;
  /** What the client wants behind the host's address. */
  readonly at: string;
  readonly connect: (baseURL: string, fetch: typeof globalThis.fetch) => Ask;
};

const NO_RETRIES = { apiKey: "none", maxRetries: 0 };
const user = (content: string) => [{ role: "user" as const, content }];
const TOKENS = { requests: 1200, tokens: 120_000 };
const IN_AND_OUT = { requests: 1200, "input-tokens": 200_000, "output-tokens": 60_000 };

const SDKS: { readonly [name: string]: Sdk } = {
  openai: {
    provider: openai,
    limits: TOKENS,
    scarce: "tokens",
    at: "/v1",
    connect: (baseURL, fetch) => {
      const client = new OpenAI({ ...NO_RETRIES, baseURL, fetch });
      return async (prompt, max_tokens) => {
        const call = { model: "m", messages: user(prompt), max_tokens };
        const { choices } = await client.chat.completions.create(call);
        return choices[0]?.message.content ?? "";
      };
    },
  },
  "openai, streams": {
    provider: openai,
    limits: TOKENS,
    scarce: "tokens",
    at: "/v1",
    connect: (baseURL, fetch) => {
      const client = new OpenAI({ ...NO_RETRIES, baseURL, fetch });
      return async (prompt, max_tokens) => {
        const options = { stream: true, stream_options: { include_usage: true } } as const;
        const call = { model: "m", messages: user(prompt), max_tokens, ...options };
        let text = "";
        for await (const { choices } of await client.chat.completions.create(call))
          text += choices[0]?.delta.content ?? "";
        return text;
      };
    },
  },
  "openai, where requests are scarce": {
    provider: openai,
    limits: { requests: 120, tokens: 1_000_000 },
    scarce: "requests",
    at: "/v1",
    connect: (baseURL, fetch) => {
      const client = new OpenAI({ ...NO_RETRIES, baseURL, fetch });
      return async (prompt, max_tokens) => {
        const call = { model: "m", messages: user(prompt), max_tokens };
        return (await client.chat.completions.create(call)).choices[0]?.message.content ?? "";
      };
    },
  },
  "@anthropic-ai/sdk": {
    provider: anthropic,
    limits: IN_AND_OUT,
    scarce: "output-tokens",
    at: "",
    connect: (baseURL, fetch) => {
      const client = new Anthropic({ ...NO_RETRIES, baseURL, fetch });
      return async (prompt, max_tokens) => {
        const call = { model: "m", messages: user(prompt), max_tokens };
        const [block] = (await client.messages.create(call)).content;
        return block?.type === "text" ? block.text : "";
      };
    },
  },
  "@anthropic-ai/sdk, streams": {
    provider: anthropic,
    limits: IN_AND_OUT,
    scarce: "output-tokens",
    at: "",
    connect: (baseURL, fetch) => {
      const client = new Anthropic({ ...NO_RETRIES, baseURL, fetch });
      return (prompt, max_tokens) =>
        client.messages.stream({ model: "m", messages: user(prompt), max_tokens }).finalText();
    },
  },
  "ai, with OpenAI": {
    provider: openai,
    limits: TOKENS,
    scarce: "tokens",
    at: "/v1",
    connect: (baseURL, fetch) => {
      const model = createOpenAI({ apiKey: "none", baseURL, fetch }).responses("m");
      return async (prompt, maxOutputTokens) =>
        (await generateText({ model, messages: user(prompt), maxOutputTokens, maxRetries: 0 }))
          .text;
    },
  },
  "ai, with Anthropic, streams": {
    provider: anthropic,
    limits: IN_AND_OUT,
    scarce: "output-tokens",
    at: "/v1",
    connect: (baseURL, fetch) => {
      const model = createAnthropic({ apiKey: "none", baseURL, fetch })("m");
      return async (prompt, maxOutputTokens) =>
        await streamText({ model, messages: user(prompt), maxOutputTokens, maxRetries: 0 }).text;
    },
  },
};

/** It is counted from when the quota is used up to when no more is asked. */
const FROM = 15_000;
const LONG = runs(1) > 1 ? 135_000 : 75_000;
const SHORT = 55_000;

type Scale = { readonly processes: number; readonly to: number };

/** So many processes ask as much as they can; what came of it. */
async function run({ provider: of, limits, scarce, at, connect }: Sdk, { processes, to }: Scale) {
  const all = Object.fromEntries(
    Object.entries(limits).map(([unit, most]) => [unit, most * processes]),
  );
  const provider = of(all, 0.15);
  const { lockstep, seen } = provider;
  const { time } = lockstep;
  const url = await lockstep.start();
  const answers = new Map<string, string>();
  const errors: unknown[] = [];
  const callers = Array.from({ length: processes }, (_, process) => {
    const random = seededRandom(process);
    const world = { scheduler: time, clock: time.clock, random, wait: 300_000 };
    const api = limitedFetch(lockstep.fetch as typeof fetch, {
      ...world,
      repeat: "refused",
      count: llmTokens,
    });
    const ask = connect(url + at, api);
    return Array.from({ length: 20 }, async (_, caller) => {
      for (let call = 0; time.elapsed() < to; call++) {
        const id = `${process}-${caller}-${call}`;
        const prompt = `${id} ${"x".repeat(400 + Math.floor(800 * random()))}`;
        await ask(prompt, 200 + Math.floor(300 * random())).then(
          (text) => answers.set(prompt, text),
          (error) => errors.push(error),
        );
      }
    });
  });
  await lockstep.until(Promise.all(callers.flat()));
  await lockstep.stop();
  const span = seen.filter(({ at }) => at >= FROM && at < to);
  const used = span.reduce((sum, { used }) => sum + (used[scarce] ?? 0), 0);
  return {
    used: used / (((all[scarce] ?? 0) * (to - FROM)) / 60_000),
    refused: span.filter(({ status }) => status === 429).length / span.length,
    refusedAtAll: seen.filter(({ status }) => status === 429).length,
    served: seen.filter(({ status }) => status === 200).map(({ id }) => id),
    answers,
    errors,
    timers: time.waiting,
  };
}

function expectWhole({ errors, served, answers, timers }: Awaited<ReturnType<typeof run>>) {
  expect(errors).toEqual([]);
  expect(new Set(served).size).toBe(served.length);
  expect(answers.size).toBe(served.length);
  expect([...answers].filter(([prompt, text]) => text !== answerTo(prompt))).toEqual([]);
  expect(timers).toBe(0);
}

test.each(Object.entries(SDKS))("%s, one process", async (_, sdk) => {
  const came = await run(sdk, { processes: 1, to: LONG });
  expectWhole(came);
  expect(came.refusedAtAll).toBe(0);
  expect(came.used).toBeGreaterThanOrEqual(0.97);
});

/** Eight take long: of each provider's unit one client, and in `npm test` one of all. */
const OF_EIGHT = Object.entries(SDKS)
  .filter(([name]) => !/streams|^ai/.test(name))
  .slice(0, runs(1));

test.each(OF_EIGHT)("%s, eight processes", async (_, sdk) => {
  const came = await run(sdk, { processes: 8, to: SHORT });
  expectWhole(came);
  expect(came.refused).toBeLessThanOrEqual(0.005);
  expect(came.used).toBeGreaterThanOrEqual(0.9);
});
