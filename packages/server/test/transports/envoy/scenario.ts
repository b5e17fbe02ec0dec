/** Requests in a row, and what Envoy's rate limit service has to answer to each. */
import { stringify } from "yaml";
import type { EnvoyOptions } from "../../../src/index.ts";
import { createService, HEADER_NAMES, parseRules, type Service } from "../../../src/index.ts";
import { START } from "../../support/service.ts";

export type AskedLimit = { readonly requests_per_unit: number; readonly unit: string };

export type AskedDescriptor = {
  readonly entries: readonly (readonly [key: string, value: string])[];
  readonly limit?: AskedLimit;
  readonly hits_addend?: number;
  readonly is_negative_hits?: boolean;
};

export type Asked = {
  readonly domain: string;
  readonly descriptors: readonly AskedDescriptor[];
  readonly hits_addend?: number;
};

export type ExpectedStatus = {
  readonly code: string;
  readonly limit?: (AskedLimit & { readonly name?: string }) | null;
  readonly remaining?: number;
  readonly reset_less_than_previous?: boolean;
};

export type Expected = {
  readonly overall?: string;
  readonly statuses?: readonly ExpectedStatus[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly dynamic_metadata?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
};

export type Step =
  | { readonly sleep_ms: number }
  | { readonly request: Asked; readonly repeat?: number; readonly expect: Expected };

export type Scenario = {
  readonly id: string;
  readonly config: string;
  readonly steps: readonly Step[];
};

export type Config = {
  readonly files: readonly object[];
  readonly env: Readonly<Record<string, string>>;
};

export type Scenarios = {
  readonly configs: Readonly<Record<string, Config>>;
  readonly scenarios: readonly Scenario[];
};

/** A service for a scenario, and what its answers carry. */
export type Stage = {
  readonly service: Service;
  readonly envoy: EnvoyOptions;
  /** Lets so many milliseconds go by. */
  readonly pass: (ms: number) => void;
};

/** Whether refused requests cost what they do in envoyproxy/ratelimit, or nothing. */
export type Counting = { readonly chargeRefused: boolean };

/** Makes the service that a configuration describes. */
export function stageOf({ files, env }: Config, { chargeRefused }: Counting): Stage {
  const texts = files.map((file, index) => ({ name: `${index}.yaml`, text: stringify(file) }));
  const rules = parseRules(texts, { mergeDomains: env.MERGE_DOMAIN_CONFIG === "true" });
  let now = START;
  const settings = {
    chargeRefused: chargeRefused && env.STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT !== "true",
    shadow: env.SHADOW_MODE === "true",
    quota: env.QUOTA_MODE === "true",
  };
  const names = {
    limit: env.LIMIT_LIMIT_HEADER ?? HEADER_NAMES.limit,
    remaining: env.LIMIT_REMAINING_HEADER ?? HEADER_NAMES.remaining,
    reset: env.LIMIT_RESET_HEADER ?? HEADER_NAMES.reset,
  };
  return {
    service: createService({ rules, settings, clock: () => now }),
    envoy: {
      responseHeaders: env.LIMIT_RESPONSE_HEADERS_ENABLED === "true" ? names : undefined,
      dynamicMetadata: env.RESPONSE_DYNAMIC_METADATA === "true",
    },
    pass: (ms) => {
      now += ms;
    },
  };
}

/** An answer, as protobuf's JSON has it; or why there is none. */
export type Answer =
  | { readonly body: AnswerBody; readonly error?: undefined }
  | { readonly error: string; readonly body?: undefined };

export type AnswerBody = {
  readonly overallCode?: string;
  readonly statuses?: readonly {
    readonly code?: string;
    readonly currentLimit?: {
      readonly requestsPerUnit?: number;
      readonly unit?: string;
      readonly name?: string;
    };
    readonly limitRemaining?: number;
    readonly durationUntilReset?: string;
  }[];
  readonly responseHeadersToAdd?: readonly { readonly key: string; readonly value: string }[];
  readonly dynamicMetadata?: Readonly<Record<string, unknown>>;
};

/** A transport: sends a request, and returns what comes back. */
export type Send = (request: Asked) => Promise<Answer>;

/** Plays a scenario, and returns what came back otherwise than expected. */
export async function play(
  { steps }: Scenario,
  { send, pass }: { readonly send: Send; readonly pass: Stage["pass"] },
): Promise<readonly string[]> {
  const differences: string[] = [];
  let resets: readonly number[] = [];
  for (const [index, step] of steps.entries()) {
    if ("sleep_ms" in step) {
      pass(step.sleep_ms);
      continue;
    }
    for (let time = 0; time < (step.repeat ?? 1); time++) {
      const answer = await send(step.request);
      const found = differencesIn(answer, step.expect, resets);
      differences.push(...found.map((one) => `step ${index + 1}: ${one}`));
      resets = (answer.body?.statuses ?? []).map((one) =>
        Number.parseInt(one.durationUntilReset ?? "", 10),
      );
    }
  }
  return differences;
}

function differencesIn(answer: Answer, expected: Expected, resets: readonly number[]): string[] {
  if (expected.error !== undefined || answer.error !== undefined) {
    return compared([["error", answer.error, expected.error?.message]]);
  }
  const { body } = answer;
  const pairs: Pair[] = [];
  if (expected.overall !== undefined) pairs.push(["overall", body.overallCode, expected.overall]);
  for (const [index, status] of (expected.statuses ?? []).entries()) {
    pairs.push(...statusPairs(body.statuses?.[index] ?? {}, status, index));
    if (status.reset_less_than_previous === true) {
      const reset = Number.parseInt(body.statuses?.[index]?.durationUntilReset ?? "", 10);
      pairs.push([`statuses[${index}] resets sooner`, reset < (resets[index] ?? 0), true]);
    }
  }
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const found = body.responseHeadersToAdd?.find(({ key }) => key === name)?.value;
    pairs.push([name, found, value.startsWith("<") ? String(Number(found)) : value]);
  }
  for (const [name, value] of Object.entries(expected.dynamic_metadata ?? {})) {
    pairs.push([name, body.dynamicMetadata?.[name], value]);
  }
  return compared(pairs);
}

type Status = NonNullable<AnswerBody["statuses"]>[number];
type Pair = readonly [what: string, found: unknown, expected: unknown];

function statusPairs(status: Status, expected: ExpectedStatus, index: number): readonly Pair[] {
  const what = `statuses[${index}]`;
  const pairs: Pair[] = [[`${what}.code`, status.code, expected.code]];
  if (expected.limit === null) pairs.push([`${what}.limit`, status.currentLimit ?? null, null]);
  if (expected.limit) {
    const { requestsPerUnit = 0, unit, name } = status.currentLimit ?? {};
    const found = { requests_per_unit: requestsPerUnit, unit, ...(name && { name }) };
    pairs.push([`${what}.limit`, found, expected.limit]);
  }
  if (expected.remaining !== undefined) {
    pairs.push([`${what}.remaining`, status.limitRemaining ?? 0, expected.remaining]);
  }
  return pairs;
}

function compared(pairs: readonly Pair[]): string[] {
  return pairs
    .filter(([, found, expected]) => sorted(found) !== sorted(expected))
    .map(([what, found, expected]) => `${what} is ${sorted(found)}, not ${sorted(expected)}`);
}

/** JSON with its fields in one order. */
function sorted(value: unknown): string {
  return (
    JSON.stringify(value, (_name, one) =>
      typeof one === "object" && one !== null && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : one,
    ) ?? "nothing"
  );
}
