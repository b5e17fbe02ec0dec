/** How long it takes from the command to the first decision. */
import { performance } from "node:perf_hooks";
import { Child } from "../child.ts";
import { Means } from "../rls/means.ts";
import { groupOf } from "../rows.ts";
import { type Contestant, interleave } from "../run.ts";
import { ServiceProcess, type StartOptions } from "../service/command.ts";
import type { Echo } from "../service/echo.ts";
import { installed } from "../service/installed.ts";
import { bodyFor, RULES, urlAt } from "../service/question.ts";
import type { Suite } from "./suite.ts";

const ROUNDS = 9;

type Start = { readonly ms: number };

export const start: Suite = async (progress) => {
  await using means = new Means();
  const { bin } = means.resources.use(await installed());
  const rules = means.file("rules.yaml", RULES);
  const contestants: readonly Contestant<Start>[] = [
    { name: "spillway serve, installed", measure: () => serve(rules, { bin }) },
    { name: "spillway serve, in the clone", measure: () => serve(rules) },
    { name: "bare Fastify echo", measure: echo },
  ];
  const title = "ms from the command to the first answer";
  const measured = await interleave(contestants, { title, rounds: ROUNDS, progress });
  return [groupOf(title, measured, { figure: "ms", unit: "ms" })];
};

async function serve(rules: string, options: StartOptions = {}): Promise<Start> {
  const since = performance.now();
  await using service = await ServiceProcess.start([rules, "--store", "memory"], options);
  await answerAt(service.port);
  return { ms: performance.now() - since };
}

async function echo(): Promise<Start> {
  const settings: Echo = { body: "{}", contentType: "application/json" };
  const since = performance.now();
  await using child = new Child(new URL("../service/echo.ts", import.meta.url), [
    JSON.stringify(settings),
  ]);
  await answerAt((await child.message()) as number);
  return { ms: performance.now() - since };
}

/** @throws Error where the answer is no decision */
async function answerAt(port: number): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(urlAt(port), { method: "POST", headers, body: bodyFor("anybody") });
  if (answer.status !== 200) throw new Error(`the first answer has status ${answer.status}`);
  await answer.text();
}
