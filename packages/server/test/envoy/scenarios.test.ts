import { describe, expect, it } from "vitest";
import { OWN } from "./cases.ts";
import { overGrpc } from "./grpc-transport.ts";
import { overJson } from "./json-transport.ts";
import { play, stageOf } from "./scenario.ts";

describe.each([
  { way: "/json", open: overJson },
  { way: "gRPC", open: overGrpc },
])("through $way", ({ open }) => {
  it.each(OWN.scenarios.map((scenario) => [scenario.id, scenario] as const))(
    "%s",
    async (id, scenario) => {
      const stage = stageOf(OWN.configs[id] ?? { files: [], env: {} }, { chargeRefused: false });
      const { send, close } = await open(stage);
      expect(await play(scenario, { send, pass: stage.pass })).toEqual([]);
      await close();
    },
  );
});
