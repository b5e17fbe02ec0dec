/**
 * The dynamic metadata of an answer: the request, and the `metadata` of the rules that admitted it.
 */
import type { MetadataValue, RuleMetadata } from "../../rules/index.ts";
import type { LimitResponse, RuleDecision } from "../../service/index.ts";
import type { DescriptorMessage, RequestMessage, StatusMessage } from "./message.ts";

type MetadataInput = {
  readonly statuses: readonly StatusMessage[];
  readonly request: RequestMessage;
};

/** Builds the metadata in the shape of envoyproxy/ratelimit's. Pure. */
export function metadataOf(
  { outcomes }: LimitResponse,
  { statuses, request }: MetadataInput,
): RuleMetadata {
  const { domain, descriptors, hitsAddend } = request;
  const passed = outcomes
    .filter((outcome, index) => statuses[index]?.code === "OK" && isLimited(outcome))
    .map((outcome) => outcome?.rule.metadata)
    .filter((metadata) => metadata !== undefined);
  return {
    domain,
    descriptors: descriptors.map(descriptorOf),
    ...(hitsAddend === 0 ? {} : { hitsAddend }),
    ...(passed.length === 0 ? {} : { metadata: passed.reduce(merged) }),
  };
}

/** envoyproxy/ratelimit leaves unlimited descriptors out. */
function isLimited(outcome: RuleDecision | undefined): boolean {
  return outcome !== undefined && outcome.decidedBy.limit !== "unlimited";
}

function descriptorOf({ entries, limit, hitsAddend }: DescriptorMessage): RuleMetadata {
  return {
    entries: entries.map(({ key, value }) => `${key}=${value}`),
    ...(limit === undefined
      ? {}
      : { limit: `requests_per_unit:${limit.requestsPerUnit} unit:${limit.unit}` }),
    ...(hitsAddend === undefined ? {} : { hitsAddend }),
  };
}

/** Merges maps: fields of the first win, and maps inside are merged in turn. */
function merged(first: RuleMetadata, second: RuleMetadata): RuleMetadata {
  const fields = new Map<string, MetadataValue>(Object.entries(first));
  for (const [name, value] of Object.entries(second)) {
    const own = fields.get(name);
    if (own === undefined) fields.set(name, value);
    else if (isMap(own) && isMap(value)) fields.set(name, merged(own, value));
  }
  return Object.fromEntries(fields);
}

function isMap(value: MetadataValue): value is RuleMetadata {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
