/** Load from h2load, the load generator of nghttp2: it takes a fraction of what a client in Node would. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { quantile } from "../numbers.ts";

/** A program that the suite needs is not there. */
export class MissingProgram extends Error {}

/** One request, sent again and again. */
export type Shot = {
  readonly url: string;
  /** A file with the body. Default: a GET without one. */
  readonly body?: string;
  readonly headers: readonly string[];
  /** HTTP/1.1 with one request a connection; else HTTP/2. */
  readonly isHttp1: boolean;
};

export type Load = {
  readonly connections: number;
  /** Calls in flight on each. */
  readonly streams: number;
  readonly requests: number;
  /** All connections together, a second. Default: as fast as answers come. */
  readonly rate?: number;
};

/** What was seen. */
export type Seen = {
  /** Requests a second. */
  readonly speed: number;
  /** Microseconds until half, and until 99 %, of the answers were there. */
  readonly p50: number;
  readonly p99: number;
};

/** @throws MissingProgram */
export function checkH2load(): void {
  if (spawnSync("h2load", ["--version"]).status === 0) return;
  throw new MissingProgram(
    "this suite sends its load with h2load, which is not on the PATH: install nghttp2-client " +
      "(Debian, Ubuntu: apt install nghttp2-client) or nghttp2 (Fedora, Homebrew), and run it again",
  );
}

/** Sends. @throws Error where a request has no answer, or one with another status than 200 */
export async function shoot(shot: Shot, load: Load): Promise<Seen> {
  const directory = mkdtempSync(join(tmpdir(), "spillway-h2load-"));
  try {
    const log = join(directory, "log");
    const { stdout } = await promisify(execFile)("h2load", argumentsOf(shot, { ...load, log }));
    return { speed: speedOf(stdout, load.requests), ...timesIn(readFileSync(log, "utf8")) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function argumentsOf(
  { url, body, headers, isHttp1 }: Shot,
  { connections, streams, requests, rate, log }: Load & { readonly log: string },
): readonly string[] {
  return [
    ...["-n", requests, "-c", connections, "-m", streams].map(String),
    ...(body === undefined ? [] : ["-d", body]),
    ...headers.flatMap((header) => ["-H", header]),
    ...(rate === undefined ? [] : ["--rps", String(rate / connections)]),
    ...(isHttp1 ? ["--h1"] : []),
    `--log-file=${log}`,
    url,
  ];
}

/** What h2load reports of a whole run. @throws Error where not all was answered by 200. Pure. */
export function speedOf(report: string, requests: number): number {
  const [, speed] = /finished in .*?, ([\d.]+) req\/s/.exec(report) ?? [];
  const [, ok] = /status codes: (\d+) 2xx/.exec(report) ?? [];
  if (speed !== undefined && Number(ok) === requests) return Number(speed);
  throw new Error(`not all of ${requests} requests were answered by 200: ${report}`);
}

/** What a log says: a line for each request, of its start, its status and its microseconds. Pure. */
export function timesIn(log: string): { readonly p50: number; readonly p99: number } {
  const lines = log.trim().split("\n");
  const times = lines.map((line) => Number(line.split("\t")[2]));
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
