/** Providers of language models, by the rules that they document: requests and tokens of a minute, as token buckets. */
import { seededRandom } from "../../../src/testing/index.ts";
import { bucket } from "../world.ts";
import { type Exchange, Lockstep } from "./lockstep.ts";

export type Limits = { readonly [unit: string]: number };

/** A call as a provider has seen it: its prompt, and what it was charged in the end. */
export type Seen = { readonly at: number; readonly id: string; status: number; used: Limits };

type Call = { readonly stream?: boolean; readonly max?: number; readonly prompt: string };
type Said = { readonly text: string; readonly input: number; readonly output: number };

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60;

/** What it answers to a prompt: something long, with letters of several bytes. */
export const answerTo = (prompt: string): string =>
  `${prompt.slice(0, 20)}: ${'déjà vu, 水門, "usage": {}. '.repeat(1 + (prompt.length % 17))}`;

/** Quotas of a minute by unit, of which so much is there at first. */
function quotasOf(limits: Limits, first: number) {
  const all = Object.entries(limits).map(([unit, most]) => {
    const units = bucket({ rate: most / MINUTE, capacity: most });
    units.take(0, most * (1 - first));
    return { unit, most, units, debt: 0 };
  });
  return {
    /** Takes all of them, or none. */
    take(at: number, counts: Limits): boolean {
      const fits = all.every(({ unit, units, debt }) => {
        units.take(at, 0);
        return units.left - debt >= (counts[unit] ?? 0);
      });
      if (fits) for (const { unit, units } of all) units.take(at, counts[unit] ?? 0);
      return fits;
    },
    /** What was taken is set right. */
    settle(counts: Limits, used: Limits): void {
      for (const each of all) {
        const more = (used[each.unit] ?? 0) - (counts[each.unit] ?? 0);
        if (more > 0) each.units.give(-more);
        else each.units.give(-more);
      }
    },
    left: (at: number) =>
      all.map(({ unit, most, units }) => {
        units.take(at, 0);
        const seconds = ((most - units.left) * MINUTE) / most;
        return { unit, most, left: Math.floor(units.left), seconds };
      }),
  };
}

export type Provider = {
  readonly lockstep: Lockstep;
  readonly seen: readonly Seen[];
};

type Rules = {
  readonly limits: Limits;
  readonly first: number;
  /** What is taken at the start, and what of that is used in the end. */
  readonly charge: (call: Call, said: Said) => { readonly taken: Limits; readonly used: Limits };
  readonly headers: (
    left: ReturnType<ReturnType<typeof quotasOf>["left"]>,
    at: number,
  ) => {
    readonly [name: string]: string;
  };
  readonly render: (
    path: string,
    said: Said,
  ) => { readonly json: unknown; readonly events: readonly string[] };
};

function provider({ limits, first, charge, headers, render }: Rules): Provider {
  const quotas = quotasOf(limits, first);
  const random = seededRandom(7);
  const seen: Seen[] = [];
  const serve = (exchange: Exchange) => {
    const { time } = lockstep;
    const at = time.elapsed();
    const call = callOf(exchange.body);
    const said = { text: answerTo(call.prompt), ...tokensOf(call, random) };
    const { taken, used } = charge(call, said);
    const isIn = quotas.take(at, taken);
    const one: Seen = { at, id: call.prompt, status: isIn ? 200 : 429, used: isIn ? used : {} };
    seen.push(one);
    const says = headers(quotas.left(at), at);
    if (!isIn) {
      exchange.head(429, { ...says, "retry-after": "1", "content-type": "application/json" });
      exchange.end(JSON.stringify({ error: { message: "rate limit", type: "rate_limit_error" } }));
      return;
    }
    const { json, events } = render(exchange.path, said);
    const takes = 300 + 1200 * random();
    const over = () => quotas.settle(taken, used);
    if (call.stream) stream(exchange, { time, takes, says, events, over });
    else
      time.alarm(takes, () => {
        over();
        exchange.head(200, { ...says, "content-type": "application/json" });
        exchange.end(JSON.stringify(json));
      });
  };
  const lockstep = new Lockstep(serve);
  return { lockstep, seen };
}

type Streaming = {
  readonly time: Lockstep["time"];
  readonly takes: number;
  readonly says: { readonly [name: string]: string };
  readonly events: readonly string[];
  readonly over: () => void;
};

/** The head at once, the events one after the other; the last of them says what was used. */
function stream(exchange: Exchange, { time, takes, says, events, over }: Streaming): void {
  exchange.head(200, { ...says, "content-type": "text/event-stream; charset=utf-8" });
  for (const [index, event] of events.entries())
    time.alarm((takes * (index + 1)) / events.length, () => {
      if (index === events.length - 1) over();
      exchange.write(event);
      if (index === events.length - 1) exchange.end();
    });
}

function callOf(body: string): Call {
  const { stream, messages, input, ...rest } = JSON.parse(body);
  const list = (messages ?? input) as { role: string; content: unknown }[];
  const last = list.at(-1)?.content as string | { text: string }[];
  const prompt = typeof last === "string" ? last : (last[0]?.text ?? "");
  return {
    stream,
    prompt,
    max: rest.max_tokens ?? rest.max_completion_tokens ?? rest.max_output_tokens,
  };
}

/** As many as a token for some four characters is right, give or take a little; answers are shorter than they may be. */
function tokensOf({ prompt, max = 500 }: Call, random: () => number) {
  const input = Math.ceil((prompt.length / 4) * (0.85 + 0.3 * random()));
  return { input, output: Math.ceil(max * (0.7 + 0.3 * random())) };
}

/** Requests and tokens; of tokens the larger one of what is asked for and what a prompt is estimated at, for good. */
export const openai = (limits: Limits, first: number): Provider =>
  provider({
    limits,
    first,
    charge: ({ prompt, max = 500 }) => {
      const taken = { requests: 1, tokens: Math.max(max, Math.ceil(prompt.length / 4)) };
      return { taken, used: taken };
    },
    headers: (left) =>
      Object.fromEntries(
        left.flatMap(({ unit, most, left, seconds }) => [
          [`x-ratelimit-limit-${unit}`, String(most)],
          [`x-ratelimit-remaining-${unit}`, String(left)],
          [`x-ratelimit-reset-${unit}`, `${seconds.toFixed(3)}s`],
        ]),
      ),
    render: (path, said) => (path.endsWith("/responses") ? responses(said) : chat(said)),
  });

/** Requests, input and output tokens; the estimates are set right at the end. */
export const anthropic = (limits: Limits, first: number): Provider =>
  provider({
    limits,
    first,
    charge: ({ prompt, max = 500 }, { input, output }) => ({
      taken: { requests: 1, "input-tokens": Math.ceil(prompt.length / 4), "output-tokens": max },
      used: { requests: 1, "input-tokens": input, "output-tokens": output },
    }),
    headers: (left, at) => ({
      Date: new Date(START + at).toUTCString(),
      ...Object.fromEntries(
        left.flatMap(({ unit, most, left, seconds }) => [
          [`anthropic-ratelimit-${unit}-limit`, String(most)],
          [`anthropic-ratelimit-${unit}-remaining`, String(left)],
          [
            `anthropic-ratelimit-${unit}-reset`,
            new Date(START + Math.ceil(at / 1000 + seconds) * 1000)
              .toISOString()
              .replace(".000", ""),
          ],
        ]),
      ),
    }),
    render: (_, said) => messages(said),
  });

const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
/** In pieces that end anywhere, as networks have them, but not within a letter. */
const pieces = (text: string): string[] => text.match(/.{1,37}/gsu) ?? [];

function chat({ text, input, output }: Said) {
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  const base = { id: "c", created: 1, model: "m" };
  const message = { role: "assistant", content: text };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason }],
    });
  return {
    json: {
      ...base,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage,
    },
    events: [
      chunk({ role: "assistant", content: "" }),
      ...pieces(text).map((content) => chunk({ content })),
      chunk({}, "stop"),
      `${event({ ...base, object: "chat.completion.chunk", choices: [], usage })}data: [DONE]\n\n`,
    ],
  };
}

function responses({ text, input, output }: Said) {
  const content = [{ type: "output_text", text, annotations: [] }];
  const item = { type: "message", id: "i", status: "completed", role: "assistant", content };
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
  const json = {
    id: "r",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    output: [item],
    usage,
  };
  return { json, events: [event({ type: "response.completed", response: json })] };
}

function messages({ text, input, output }: Said) {
  const base = { id: "m", type: "message", role: "assistant", model: "m", stop_sequence: null };
  const usage = { input_tokens: input, output_tokens: output };
  const start = { ...base, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const delta = (text: string) =>
    event(
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      "content_block_delta",
    );
  return {
    json: { ...base, content: [{ type: "text", text }], stop_reason: "end_turn", usage },
    events: [
      event({ type: "message_start", message: start }, "message_start"),
      event(
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        "content_block_start",
      ),
      ...pieces(text).map(delta),
      event({ type: "content_block_stop", index: 0 }, "content_block_stop"),
      event(
        {
          type: "message_delta",
          delta: { stop_reason: "end_turn", stop_sequence: null },
          usage: { output_tokens: output },
        },
        "message_delta",
      ),
      event({ type: "message_stop" }, "message_stop"),
    ],
  };
}
