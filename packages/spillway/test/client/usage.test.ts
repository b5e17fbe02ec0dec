/** What answers say was used: found as it goes by, whatever it is cut into, and nothing of the body is changed. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { UsageScan } from "../../src/client/units/usage-scan.ts";

const encoded = (text: string) => new TextEncoder().encode(text);

function usedOf(text: string, { isStream = false, cut = 7 } = {}) {
  const scan = new UsageScan(isStream);
  const bytes = encoded(text);
  for (let from = 0; from < bytes.length; from += cut) scan.chunk(bytes.slice(from, from + cut));
  return scan.used;
}

const openai = { prompt_tokens: 12, completion_tokens: 30, total_tokens: 42 };
const anthropic = {
  input_tokens: 10,
  cache_creation_input_tokens: 5,
  cache_read_input_tokens: 1000,
  output_tokens: 3,
};
const events = (...list: unknown[]) =>
  list.map((each) => `event: x\ndata: ${JSON.stringify(each)}\n\n`).join("");

test.each([
  ["chat completions", JSON.stringify({ choices: [], usage: openai }), 42, 12, 30],
  [
    "responses",
    JSON.stringify({ output: [], usage: { input_tokens: 1, output_tokens: 2 } }),
    3,
    1,
    2,
  ],
  ["messages", JSON.stringify({ content: [], usage: anthropic }, null, 2), 18, 15, 3],
])("of %s", (_, text, tokens, input, output) => {
  const used = { tokens, "input-tokens": input, "output-tokens": output };
  expect(usedOf(text)).toEqual(used);
});

test("of a stream of chat completions, whose last event says it", () => {
  const text = events(
    { choices: [{ delta: { content: "a" } }], usage: null },
    { choices: [], usage: openai },
  );
  expect(usedOf(`${text}data: [DONE]\n\n`, { isStream: true })).toMatchObject({ tokens: 42 });
});

test("of a stream of messages, which says it in two parts", () => {
  const text = events(
    { type: "message_start", message: { usage: anthropic } },
    { type: "message_delta", delta: {}, usage: { output_tokens: 90 } },
  );
  const used = { tokens: 105, "input-tokens": 15, "output-tokens": 90 };
  expect(usedOf(text, { isStream: true })).toEqual(used);
});

test("of a stream of responses, over several lines of one event, with CRLF", () => {
  const usage = { input_tokens: 7, output_tokens: 8, total_tokens: 15 };
  const json = JSON.stringify({ type: "response.completed", response: { usage } }, null, 1);
  const text = `event: x\r\n${json
    .split("\n")
    .map((line) => `data: ${line}\r\n`)
    .join("")}\r\n`;
  expect(usedOf(text, { isStream: true })).toMatchObject({ tokens: 15 });
});

test.each([
  ["text that speaks of it", { choices: [{ message: { content: '"usage":{"total_tokens":9}' } }] }],
  ["a value of that name", { a: "usage", total_tokens: 9 }],
  ["what lies deeper", { a: { b: { usage: { total_tokens: 9 } } } }],
  ["an escaped name", { 'us"age': { total_tokens: 9 } }],
  [
    "numbers that are none",
    { usage: { total_tokens: -1, prompt_tokens: "9", input_tokens: 1e300 } },
  ],
  ["null", { usage: null }],
])("not of %s", (_, value) => {
  expect(usedOf(JSON.stringify(value))).toBeUndefined();
});

test("whatever a document says, and wherever it is cut, it is found", () => {
  const count = fc.integer({ min: 0, max: 1e6 });
  const key = fc.string().filter((name) => name !== "usage");
  const others = fc.dictionary(key, fc.jsonValue());
  const law = fc.property(
    others,
    count,
    count,
    fc.integer({ min: 1, max: 40 }),
    (rest, a, b, cut) => {
      const usage = { prompt_tokens: a, completion_tokens: b, total_tokens: a + b };
      // What else is called so, one level below, is found too, as in a stream's events: there is none here.
      const hidden = JSON.stringify(rest).includes('"usage"');
      fc.pre(!hidden);
      const used = { tokens: a + b, "input-tokens": a, "output-tokens": b };
      expect(usedOf(JSON.stringify({ ...rest, usage }), { cut })).toEqual(used);
      expect(usedOf(events(rest, { ...rest, usage }), { cut, isStream: true })).toEqual(used);
    },
  );
  fc.assert(law);
});

test("bytes of any kind end in no error", () => {
  const bytes = fc.array(fc.uint8Array());
  const law = fc.property(bytes, fc.boolean(), (chunks, isStream) => {
    const scan = new UsageScan(isStream);
    for (const chunk of [...chunks, encoded('{"usage":{'), ...chunks]) scan.chunk(chunk);
    expect(scan.used).toBeUndefined();
  });
  fc.assert(law);
});
