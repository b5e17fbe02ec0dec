/**
 * What Node offers beyond the language, where it runs: undefined in browsers and on edge workers.
 *
 * Everything is looked up when it is asked for, so that importing this does nothing.
 */
type NodeRuntime = {
  readonly performance?: { eventLoopUtilization?(): LoopTimes };
  readonly process?: {
    cpuUsage?(): CpuTimes;
    getBuiltinModule?<Name extends keyof BuiltIns>(name: Name): BuiltIns[Name] | undefined;
  };
};

/** Milliseconds that the event loop has waited, and has worked, since it began. */
export type LoopTimes = { readonly idle: number; readonly active: number };

/** Microseconds of processor that this process has used, all its threads together. */
export type CpuTimes = { readonly user: number; readonly system: number };

/** Bytes. */
export type HeapSizes = { readonly used_heap_size: number; readonly heap_size_limit: number };

type BuiltIns = {
  readonly "node:fs": { readFileSync(path: string, encoding: "utf8"): string };
  readonly "node:os": { availableParallelism?(): number };
  readonly "node:v8": { getHeapStatistics?(): HeapSizes };
};

const host = globalThis as typeof globalThis & NodeRuntime;

/** What the event loop of this thread has done since it began; undefined where nobody counts. */
export function loopTimes(): LoopTimes | undefined {
  return host.performance?.eventLoopUtilization?.();
}

/** The processor time of this process; undefined where nobody counts. */
export function cpuTimes(): CpuTimes | undefined {
  return host.process?.cpuUsage?.();
}

/** How many processors this process may use; undefined where that is unknown. */
export function processors(): number | undefined {
  return builtIn("node:os")?.availableParallelism?.();
}

/** The JavaScript heap of this thread; undefined where nobody measures. */
export function heapSizes(): HeapSizes | undefined {
  return builtIn("node:v8")?.getHeapStatistics?.();
}

/** A file's text; undefined where there is no such file, no right to read it, or no file system. */
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
