/** Rules that a test changes, and a program that follows them. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Limits, RateLimiter } from "spillway";
import {
  type LimitsChange,
  type RulesSource,
  type WatchedRules,
  type WatchRulesOptions,
  watchRules,
} from "../../../src/index.ts";
import { atEnd } from "../../support/at-end.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** A rule file with a bucket for each name. */
export const rulesOf = (buckets: Readonly<Record<string, number>>, domain = "shop") =>
  `domain: ${domain}\ndescriptors:\n${Object.entries(buckets)
    .map(
      ([name, rate]) =>
        `  - key: ${name}\n    rate_limit: { kind: token bucket, unit: day, requests_per_unit: ${rate}, name: ${name} }\n`,
    )
    .join("")}`;

/** Replaces a file as editors do. */
export function rename(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** A rule file in a directory of its own. */
export function ruleFile(text: string): string {
  const file = join(temporaryDirectory(), "limits.yaml");
  writeFileSync(file, text);
  return file;
}

/** Things that happen, each of which is waited for in turn. */
export class Events<T> {
  readonly #past: T[] = [];
  #wake = () => {};

  readonly add = (one: T): void => {
    this.#past.push(one);
    this.#wake();
  };

  /** Returns the next one that fits, and forgets those before. */
  async next(fits: (one: T) => boolean = () => true): Promise<T> {
    for (;;) {
      while (this.#past.length > 0) {
        const one = this.#past.shift() as T;
        if (fits(one)) return one;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The number of those that nobody has waited for. */
  get size(): number {
    return this.#past.length;
  }
}

export type Following = {
  readonly rules: WatchedRules;
  readonly limiter: RateLimiter<Limits>;
  readonly problems: Events<string>;
  readonly changes: Events<LimitsChange>;
  readonly warnings: string[];
};

/** A limiter that follows rules until the test ends. */
export async function following(
  source: RulesSource,
  options: WatchRulesOptions = {},
): Promise<Following> {
  const problems = new Events<string>();
  const changes = new Events<LimitsChange>();
  const warnings: string[] = [];
  const rules = await watchRules(source, {
    onProblem: problems.add,
    onChange: changes.add,
    warn: (warning) => warnings.push(warning),
    ...options,
  });
  atEnd(() => rules.close());
  const limiter = new RateLimiter<Limits>(rules.limits);
  rules.keep(limiter);
  return { rules, limiter, problems, changes, warnings };
}
