import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import { parseRules } from "spillway-server";
import { expect, test } from "vitest";
import { speedOf, timesIn } from "../rls/h2load.ts";
import { manyRules } from "../rls/many-rules.ts";
import { GRPC, JSON_BODY, RULES } from "../rls/question.ts";

const PROTO = fileURLToPath(
  new URL("../../packages/server/proto/ratelimit.proto", import.meta.url),
);
const requestType = protobuf.loadSync(PROTO).lookupType("RateLimitRequest");

const report = (ok: number) => `finished in 1.50s, 20000.51 req/s, 1.20MB/s
requests: 30000 total, 30000 started, 30000 done, ${ok} succeeded, 0 failed, 0 errored, 0 timeout
status codes: ${ok} 2xx, 0 3xx, ${30_000 - ok} 4xx, 0 5xx`;

test("a report of h2load is of use only where all was answered", () => {
  expect(speedOf(report(30_000), 30_000)).toBe(20_000.51);
  expect(() => speedOf(report(29_999), 30_000)).toThrow("not all of 30000 requests");
});

test("half of the times of a log are below its median", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `16637\t200\t${100 - index}`);
  expect(timesIn(lines.join("\n"))).toEqual({ p50: 50, p99: 99 });
});

test("both transports are asked the same, by a rule that there is", () => {
  const message = requestType.toObject(requestType.decode(GRPC.subarray(5)));
  expect(GRPC.readUInt32BE(1)).toBe(GRPC.length - 5);
  const { domain, descriptors } = JSON.parse(JSON_BODY);
  expect(message).toEqual({ domain, descriptors });
  expect([...parseRules([{ name: "rules.yaml", text: RULES }]).domains.keys()]).toEqual([domain]);
});

test("rules of another version differ, and are as many", () => {
  const [one = [], other] = [1, 2].map((version) => manyRules(2010, version));
  const files = one.map((text, index) => ({ name: `${index}.yaml`, text }));
  const { domains } = parseRules(files, { mergeDomains: true });
  expect([...domains.keys()]).toEqual(["bench"]);
  expect(one.map((text) => text.match(/user-/g)?.length)).toEqual([2000, 10]);
  expect(one).not.toEqual(other);
});
