/** Which functions of the library one call runs, as V8 counts them. */
import { Session } from "node:inspector/promises";

/** How long a call's way is. */
export type Way = {
  readonly files: number;
  readonly functions: number;
  readonly calls: number;
  /** What was called how often, in order of files. */
  readonly steps: readonly Step[];
};

/** A function that was called. */
export type Step = { readonly file: string; readonly name: string; readonly calls: number };

/** Calls before: more than those whose options are checked. */
const WARM = 1100;
/** Where the built library is, in a module's URL. */
const LIBRARY = "/packages/spillway/dist/";

/** Follows one call, made after others like it, from the moment of the call until its answer is there. */
export async function wayOf(call: () => unknown): Promise<Way> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  for (let warm = 0; warm < WARM; warm++) await call();
  await settled();
  await session.post("Profiler.takePreciseCoverage");
  await call();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return summary(result.flatMap(stepsOf));
}

type Script = {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
};

function stepsOf({ url, functions }: Script): readonly Step[] {
  const at = url.indexOf(LIBRARY);
  if (at < 0) return [];
  const file = url.slice(at + LIBRARY.length);
  return functions
    .map(({ functionName, ranges }) => ({ file, name: functionName, calls: ranges[0]?.count ?? 0 }))
    .filter(({ calls }) => calls > 0);
}

function summary(steps: readonly Step[]): Way {
  return {
    files: new Set(steps.map(({ file }) => file)).size,
    functions: steps.length,
    calls: steps.reduce((sum, { calls }) => sum + calls, 0),
    steps,
  };
}

/** Until what a call has left behind, such as the end of a request, is over. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200));
}
