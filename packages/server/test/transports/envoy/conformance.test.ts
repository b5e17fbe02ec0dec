/**
 * Recorded behaviour of envoyproxy/ratelimit, where a file of it is at hand: SPILLWAY_CONFORMANCE
 * names it. The project's own cases are in `scenarios.test.ts`.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseRules, RulesError } from "../../../src/index.ts";
import { overGrpc } from "./grpc-transport.ts";
import { overJson } from "./json-transport.ts";
import { play, type Scenarios, stageOf } from "./scenario.ts";

type Recorded = Scenarios & {
  readonly config_errors: readonly {
    readonly id: string;
    readonly files: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  }[];
};

const path = process.env.SPILLWAY_CONFORMANCE;
const none: Recorded = { configs: {}, scenarios: [], config_errors: [] };
const recorded: Recorded = path === undefined ? none : JSON.parse(readFileSync(path, "utf8"));

/** What differs on purpose where a refused request costs nothing, and why. */
const DIFFERENT: ReadonlyMap<string, string> = new Map([
  ["integration/two-descriptors-20min-10hour", "the limit that would admit is not charged"],
  ["integration-localcache/two-descriptors-20min-10hour", "the same"],
  ["service/per-descriptor-quota", "the same"],
  ["service/mixed-quota-over", "the same"],
  ["example/token-quota", "0 hits ask whether one is left"],
  ["arith/add3-all-over", "an ask for more than there is leaves what was there"],
  ["arith/per-descriptor-addend-0-and-1", "the same"],
]);

describe.skipIf(path === undefined)("envoyproxy/ratelimit, as it was recorded", () => {
  describe.each([
    { way: "/json", open: overJson },
    { way: "gRPC", open: overGrpc },
  ])("through $way", ({ open }) => {
    it.each(recorded.scenarios.map((scenario) => [scenario.id, scenario] as const))(
      "%s, with --charge-refused",
      async (_id, scenario) => {
        const stage = stageOf(recorded.configs[scenario.config] ?? { files: [], env: {} }, {
          chargeRefused: true,
        });
        const { send, close } = await open(stage);
        expect(await play(scenario, { send, pass: stage.pass })).toEqual([]);
        await close();
      },
    );

    it.each(recorded.scenarios.map((scenario) => [scenario.id, scenario] as const))(
      "%s",
      async (id, scenario) => {
        const stage = stageOf(recorded.configs[scenario.config] ?? { files: [], env: {} }, {
          chargeRefused: false,
        });
        const { send, close } = await open(stage);
        const differences = await play(scenario, { send, pass: stage.pass });
        expect(differences.length > 0, differences.join("; ")).toBe(DIFFERENT.has(id));
        await close();
      },
    );
  });

  it.each(recorded.config_errors.map((one) => [one.id, one] as const))(
    "%s",
    (_id, { files, env }) => {
      const texts = files.map((text, index) => ({ name: `${index}.yaml`, text }));
      const mergeDomains = env.MERGE_DOMAIN_CONFIG === "true";
      expect(() => parseRules(texts, { mergeDomains })).toThrow(RulesError);
    },
  );
});
