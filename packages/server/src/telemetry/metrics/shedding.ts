/** Counts what a proxy's shedder refuses, and shows its state. */
import type { ShedderEvent, ShedderStats } from "spillway/shedding";
import { alone, counter, gauge, type Sample, type Series } from "./series.ts";
import { entryOf } from "./tally.ts";

/** A number for each cause and mode of one priority. */
type Counts = Map<string, { readonly cause: string; readonly mode: string; value: number }>;

type Shed = Extract<ShedderEvent, { readonly type: "shed" }>;

/** The series of a shedder; none until there is one. */
export class SheddingSeries {
  readonly #shed = new Map<string, Counts>();
  #stats: (() => ShedderStats) | undefined;

  /** Sets the function that reads the shedder. */
  of(stats: () => ShedderStats): void {
    this.#stats = stats;
  }

  /** Counts a refusal. Other events have no series. */
  note(event: ShedderEvent): void {
    if (event.type === "shed") this.#add(event);
  }

  #add({ priority, cause, shadow }: Shed): void {
    const mode = shadow ? "shadow" : "enforced";
    const counts = entryOf(this.#shed, priority, (): Counts => new Map());
    entryOf(counts, `${mode} ${cause}`, () => ({ cause, mode, value: 0 })).value++;
  }

  get series(): readonly Series[] {
    const stats = this.#stats;
    if (stats === undefined) return [];
    const read = (field: "inFlight" | "held" | "waiting" | "capacity" | "share") =>
      alone(() => stats()[field]);
    const admitted = () =>
      Object.entries(stats().admitted).map(([priority, value]) => ({
        labels: { priority },
        value,
      }));
    return [
      counter("spillway_shed_total", () => this.#read()),
      counter("spillway_shedder_admitted_total", admitted),
      gauge("spillway_shedder_in_flight", read("inFlight")),
      gauge("spillway_shedder_held", read("held")),
      gauge("spillway_shedder_waiting", read("waiting")),
      gauge("spillway_shedder_capacity", read("capacity")),
      gauge("spillway_shedder_share", read("share")),
    ];
  }

  *#read(): Iterable<Sample> {
    for (const [priority, counts] of this.#shed) {
      for (const { cause, mode, value } of counts.values()) {
        yield { labels: { priority, cause, mode }, value };
      }
    }
  }
}
