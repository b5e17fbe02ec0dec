/** Merges the pages of several workers: each series gets the number of its worker as a label. */
import { afterTurn } from "spillway/support";
import { inParts } from "./exposition.ts";
import { entryOf } from "./tally.ts";

/** One worker's metrics, in Prometheus' text format. */
export type WorkerPage = { readonly worker: number; readonly text: string };

type MetricFamily = { readonly head: string; readonly samples: string[] };

/**
 * Writes the merged page, part by part. The numbers are not added up: a sum would fall when a
 * worker ends, and Prometheus would take that for a reset.
 */
export async function* merged(pages: readonly WorkerPage[]): AsyncGenerator<string> {
  const families = new Map<string, MetricFamily>();
  for (const page of pages) {
    addAll(families, page);
    await new Promise<void>((resolve) => afterTurn(resolve));
  }
  yield* inParts(piecesOf(families));
}

function* piecesOf(families: ReadonlyMap<string, MetricFamily>): Generator<string> {
  for (const { head, samples } of families.values()) {
    yield head;
    yield* samples;
  }
}

/** Splits a page into families. The text of each begins with its HELP. */
function addAll(families: Map<string, MetricFamily>, { worker, text }: WorkerPage): void {
  for (const block of text.split(/^(?=# HELP )/m)) {
    const [, name] = /^# HELP (\S+)/.exec(block) ?? [];
    if (name === undefined) continue;
    const lines = block.split("\n").filter((line) => line !== "");
    const head = lines.filter((line) => line.startsWith("#")).map((line) => `${line}\n`);
    const family = entryOf(families, name, () => ({ head: head.join(""), samples: [] }));
    for (const line of lines)
      if (!line.startsWith("#")) family.samples.push(labelled(line, worker));
  }
}

/** Adds a label to a sample. */
function labelled(line: string, worker: number): string {
  const end = line.search(/[{ ]/);
  const rest = line.slice(end + 1);
  const label = `worker="${worker}"`;
  const inner = line[end] === "{" ? `${label},${rest}` : `${label}} ${rest}`;
  return `${line.slice(0, end)}{${inner}\n`;
}
