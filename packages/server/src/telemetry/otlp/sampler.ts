import { ParentBasedSampler, type Sampler, SamplingDecision } from "@opentelemetry/sdk-trace-node";
import type { Random } from "spillway/core";
import { systemRandom } from "../../service/index.ts";
import type { Sampling } from "./sampling.ts";

/**
 * Creates the sampler that decides which requests are traced. A span inside a traced one is traced
 * too.
 *
 * A caller chooses the id of its trace as well as the sampled flag. So the share is drawn at
 * random: with `TraceIdRatioBasedSampler`, a well-chosen id would be traced every time, or never.
 */
export function samplerOf({ share, trustsCallers }: Sampling, random = systemRandom): Sampler {
  const root = new ShareSampler(share, random);
  if (trustsCallers) return new ParentBasedSampler({ root });
  return new ParentBasedSampler({
    root,
    remoteParentSampled: root,
    remoteParentNotSampled: root,
  });
}

/** Samples a fixed share of all requests at random. */
class ShareSampler implements Sampler {
  readonly #share: number;
  readonly #random: Random;

  constructor(share: number, random: Random) {
    this.#share = share;
    this.#random = random;
  }

  shouldSample() {
    const isSampled = this.#share === 1 || (this.#share > 0 && this.#random() < this.#share);
    const decision = isSampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD;
    return { decision };
  }

  toString(): string {
    return `Share{${this.#share}}`;
  }
}
