/**
 * The features of Node beyond the language; undefined in browsers and on edge workers.
 *
 * Each is looked up when it is called, so that an import has no side effects.
 */
type NodeRuntime = {
  readonly performance?: { eventLoopUtilization?(): LoopTimes };
  readonly process?: {
    cpuUsage?(): CpuTimes;
    getBuiltinModule?<Name extends keyof BuiltIns>(name: Name): BuiltIns[Name] | undefined;
  };
};

/** The milliseconds that the event loop has waited, and has worked, since it began. */
export type LoopTimes = { readonly idle: number; readonly active: number };

/** The processor time used by all threads of this process, in microseconds. */
export type CpuTimes = { readonly user: number; readonly system: number };

/** The sizes of a JavaScript heap, in bytes. */
export type HeapSizes = { readonly used_heap_size: number; readonly heap_size_limit: number };

type BuiltIns = {
  readonly "node:fs": { readFileSync(path: string, encoding: "utf8"): string };
  readonly "node:os": { availableParallelism?(): number };
  readonly "node:v8": { getHeapStatistics?(): HeapSizes };
};

const host = globalThis as typeof globalThis & NodeRuntime;

/** Returns the times of this thread's event loop; undefined if the runtime does not measure. */
export function loopTimes(): LoopTimes | undefined {
  return host.performance?.eventLoopUtilization?.();
}

/** Returns the processor time of this process; undefined if the runtime does not measure. */
export function cpuTimes(): CpuTimes | undefined {
  return host.process?.cpuUsage?.();
}

/** Returns the number of processors that this process may use; undefined if it is unknown. */
export function processors(): number | undefined {
  return builtIn("node:os")?.availableParallelism?.();
}

/**
 * Returns the sizes of this thread's JavaScript heap; undefined if the runtime does not measure.
 */
export function heapSizes(): HeapSizes | undefined {
  return builtIn("node:v8")?.getHeapStatistics?.();
}

/**
 * Returns a file's text; undefined if there is no such file, no right to read it, or no file
 * system.
 */
export function readText(path: string): string | undefined {
  try {
    return builtIn("node:fs")?.readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function builtIn<Name extends keyof BuiltIns>(name: Name): BuiltIns[Name] | undefined {
  return host.process?.getBuiltinModule?.(name);
}
