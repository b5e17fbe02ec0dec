/** Whether 10 000 rules match as fast as 10. */
import { join } from "node:path";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import type { Part } from "../scale/part.ts";
import type { Progress } from "../suites/suite.ts";
import { COLUMNS } from "./figures.ts";
import { type Load, type Seen, shoot } from "./h2load.ts";
import { manyRules, writeRules } from "./many-rules.ts";
import { Means } from "./means.ts";
import { GRPC_HEADERS, grpcBody, METHOD } from "./question.ts";

const LOAD: Load = { connections: 4, streams: 32, requests: 15_000 };
const ROUNDS = 5;

export const rules: Part = {
  name: "rules",
  async measure(progress: Progress) {
    await using means = new Means();
    const contestants: Contestant<Seen>[] = [];
    for (const count of [10_000, 10]) {
      const directory = join(means.directory, String(count));
      writeRules(directory, manyRules(count));
      const { grpcPort } = await means.service(["--merge-domains"], directory);
      const entry = { key: "user", value: `user-${count / 2}` };
      const body = means.file(`request-${count}`, grpcBody({ domain: "bench", entry }));
      const url = `http://127.0.0.1:${grpcPort}${METHOD}`;
      const shot = { url, body, headers: GRPC_HEADERS, isHttp1: false };
      contestants.push({ name: `${count} rules`, measure: () => shoot(shot, LOAD) });
    }
    const title = "gRPC by so many rules, requests a second / µs p50 / p99";
    const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
    return [groupOf("gRPC by 10 000 rules and by 10", measured, COLUMNS.speed)];
  },
};
