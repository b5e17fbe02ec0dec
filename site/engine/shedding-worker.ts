/** Simulates overloads beside the page. */
import { playShedding, type SheddingRun, type SheddingSetup } from "../model/index.ts";
import { servePage } from "./serve-page.ts";

servePage<SheddingSetup, readonly SheddingRun[]>(async function* (setup) {
  yield { answer: await playShedding(setup) };
});
