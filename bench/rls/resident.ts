/** The resident memory of a process, as the kernel reports it; Linux only. */
import { readFileSync } from "node:fs";

/** Now, in MiB. */
export function residentMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kib) / 1024);
}

/** The most while something went on, of readings 50 ms apart. */
export async function mostResident<T>(pid: number, during: Promise<T>): Promise<[T, number]> {
  let most = residentMib(pid);
  const reading = setInterval(() => {
    most = Math.max(most, residentMib(pid));
  }, 50);
  try {
    return [await during, Math.max(most, residentMib(pid))];
  } finally {
    clearInterval(reading);
  }
}
