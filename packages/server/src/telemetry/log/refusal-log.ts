/** Logs refusals up to a rate, and counts the rest. */
import { SECOND } from "spillway/core";
import { afterDelay, printable } from "spillway/support";
import type { DescriptorEntry } from "../../rules/index.ts";
import type { DecidedCall, RuleDecision } from "../../service/index.ts";
import type { LogFields, ServiceLogger } from "./log.ts";

export type RefusalLogOptions = {
  readonly log: ServiceLogger;
  /** The maximum number of lines a second. */
  readonly perSecond: number;
};

const LONGEST_VALUE = 100;

/** Logs refusals at the level `debug`. At other levels it costs one comparison a request. */
export class RefusalLog {
  readonly #log: ServiceLogger;
  readonly #perSecond: number;
  #lines = 0;
  #leftOut = 0;
  #cancel: (() => void) | undefined;

  constructor({ log, perSecond }: RefusalLogOptions) {
    this.#log = log;
    this.#perSecond = perSecond;
  }

  readonly note = ({ request, response, isShadow, verb }: DecidedCall): void => {
    if (!this.#log.isOn("debug") || verb === "check") return;
    for (const [place, outcome] of response.outcomes.entries()) {
      if (outcome === undefined || outcome.decision.ok) continue;
      const { entries = [] } = request.descriptors[place] ?? {};
      this.#refused(outcome, { mode: isShadow ? "shadow" : outcome.role, entries });
    }
  };

  #refused(
    outcome: RuleDecision,
    { mode, entries }: { mode: string; entries: readonly DescriptorEntry[] },
  ): void {
    this.#cancel ??= afterDelay(SECOND, () => this.#next());
    if (this.#lines >= this.#perSecond) {
      this.#leftOut++;
      return;
    }
    this.#lines++;
    const { limit, reason, retryAfter, degraded } = outcome.decision;
    const key = this.#log.keys ? shown(entries) : undefined;
    const fields: LogFields = {
      event: "refused",
      limit,
      reason,
      mode: mode === "must" ? "enforced" : mode,
      count: outcome.count,
      retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
      degraded,
      key,
    };
    const whose = key === undefined ? "" : ` for ${key}`;
    const spared = mode === "must" ? "" : ` (${mode})`;
    this.#log.debug(`${limit} refused${whose}: ${reason}${spared}`, fields);
  }

  #next(): void {
    const leftOut = this.#leftOut;
    this.#cancel = undefined;
    this.#lines = 0;
    this.#leftOut = 0;
    if (leftOut === 0) return;
    const fields = { event: "refusals left out", count: leftOut };
    this.#log.debug(`${leftOut} more were refused in this second`, fields);
  }

  close(): void {
    this.#cancel?.();
  }
}

function shown(entries: readonly DescriptorEntry[]): string {
  return entries
    .map(({ key, value }) => `${printable(key, LONGEST_VALUE)}=${printable(value, LONGEST_VALUE)}`)
    .join(",");
}
