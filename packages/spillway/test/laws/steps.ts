/** Counts what runs, function by function and loop by loop, with V8's coverage. Not the clock. */
import { Session } from "node:inspector/promises";
import { afterAll, beforeAll } from "vitest";

/** Makes the counter, for the tests of one file. */
export function stepCounter(): (call: () => unknown) => Promise<number> {
  const session = new Session();
  beforeAll(async () => {
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  });
  afterAll(() => session.disconnect());
  return (call) => stepsOf(session, call);
}

/** Does something, as far as it goes at once. Misuse is work as well. */
export function attempt(call: () => unknown): void {
  try {
    Promise.resolve(call()).catch(() => {});
  } catch {
    // It is counted up to here.
  }
}

/** How often blocks of the library's code ran while something was done. */
async function stepsOf(session: Session, call: () => unknown): Promise<number> {
  await session.post("Profiler.takePreciseCoverage");
  attempt(call);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ours = result.filter(({ url }) => url.includes("/packages/spillway/src/"));
  return ours
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
}
