/** Envoy's rate limit service, over gRPC and HTTP, beside what it stands on. */
import { grpc } from "../rls/grpc.ts";
import { checkH2load } from "../rls/h2load.ts";
import { http } from "../rls/http.ts";
import { memory } from "../rls/memory.ts";
import { reload } from "../rls/reload.ts";
import { rules } from "../rls/rules.ts";
import type { Part } from "../scale/part.ts";
import type { Group, Order, Outcome, SelectiveSuite } from "./suite.ts";

const PARTS: readonly Part[] = [grpc, http, rules, reload, memory];

export const rls: SelectiveSuite = async ({ only, progress }: Order): Promise<Outcome> => {
  const parts = only.of(PARTS, ({ name }) => name);
  checkH2load();
  const groups: Group[] = [];
  for (const part of parts) groups.push(...(await part.measure(progress)));
  return { groups };
};
