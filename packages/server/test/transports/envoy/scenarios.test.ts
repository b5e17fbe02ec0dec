import { describe, expect, it } from "vitest";
import { OWN, OWN_CHARGED } from "./cases.ts";
import { overGrpc } from "./grpc-transport.ts";
import { overJson } from "./json-transport.ts";
import { play, stageOf } from "./scenario.ts";

const WAYS = [
  { way: "/json", open: overJson },
  { way: "gRPC", open: overGrpc },
];
const ALL = [
  { which: "where a refused request costs nothing", set: OWN, chargeRefused: false },
  { which: "with --charge-refused", set: OWN_CHARGED, chargeRefused: true },
];

describe.each(WAYS)("through $way", ({ open }) => {
  describe.each(ALL)("$which", ({ set, chargeRefused }) => {
    it.each(set.scenarios.map((scenario) => [scenario.id, scenario] as const))(
      "%s",
      async (id, scenario) => {
        const stage = stageOf(set.configs[id] ?? { files: [], env: {} }, { chargeRefused });
        const { send, close } = await open(stage);
        expect(await play(scenario, { send, pass: stage.pass })).toEqual([]);
        await close();
      },
    );
  });
});
