/**
 * Limits in a file that operators edit: a new one runs dark, one that does harm is switched off.
 *
 * Nothing is deployed. A mistake in the file changes nothing, and is reported with its place.
 */
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Limits, RateLimiter } from "spillway";
import { watchRules } from "spillway-server";

const fileOf = (mode: string) => `domain: shop
descriptors:
  - key: user
    rate_limit: { name: search, kind: token bucket, unit: hour, requests_per_unit: 2, mode: ${mode} }
`;

/** Replaces a file as an operator's tools do, so that nobody reads half of it. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

export async function story(): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), "limits-"));
  const file = join(directory, "limits.yaml");
  await writeFile(file, fileOf("shadow"));
  // Watching keeps no process alive: in an app, its server does.
  const alive = setInterval(() => {}, 60_000);
  let used = Promise.withResolvers<string>();
  const rules = await watchRules(file, {
    onProblem: (problem) => used.resolve(problem.replace(directory, "")),
    onChange: ({ changed }) => used.resolve(`changed: ${changed}`),
  });
  const limiter = new RateLimiter<Limits>(rules.limits);
  rules.keep(limiter);
  const search = () => limiter.limit("search", { key: "ada" });
  const searches = (count: number) => Array.from({ length: count }, search);
  const lines: string[] = [];
  try {
    const dark = searches(3).filter(({ shadowed }) => shadowed?.ok === false);
    lines.push(`in shadow mode: ${dark.length} of 3 would be refused`);
    for (const mode of ["enforce", "of", '"off"']) {
      used = Promise.withResolvers();
      await replace(file, fileOf(mode));
      lines.push(await used.promise);
      lines.push(`mode: ${mode}: ${searches(3).filter(({ ok }) => ok).length} of 3 admitted`);
    }
  } finally {
    clearInterval(alive);
    rules.close();
    await rm(directory, { recursive: true });
  }
  return lines;
}

if (import.meta.main) console.log((await story()).join("\n"));
