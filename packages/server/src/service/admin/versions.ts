/** Compares versions: the numbers of entries. All functions are pure. */
import { RequestError } from "../request-error.ts";
import type { AuditEntry } from "./audit.ts";
import type { ChangePlan } from "./contracts.ts";

/** Returns the number of the newest entry: the version that a caller reads. */
export function versionOf(entries: readonly AuditEntry[]): number {
  return entries.at(-1)?.version ?? 0;
}

/**
 * Compares the version that a caller has read with the newest entries.
 *
 * @throws RequestError `version-conflict` if a newer entry is of the same subject, or is no longer
 * known.
 */
export function checkVersion(
  entries: readonly AuditEntry[],
  { isSameSubject }: Pick<ChangePlan, "isSameSubject">,
  version: number,
): void {
  const newest = versionOf(entries);
  const newer = entries.find(
    (entry) => entry.version > version && entry.outcome !== "refused" && isSameSubject(entry),
  );
  const [oldest] = entries;
  const isForgotten = oldest !== undefined && oldest.version > version + 1;
  if (newer === undefined && !isForgotten && version <= newest) return;
  const found = newer === undefined ? `Found the version ${version}` : describeNewer(newer);
  const detail =
    `${found}, expected no change after the version that you have read; read again, ` +
    `and repeat the change with version ${newest} if it is still right`;
  const more = { version: newest, ...(newer && { newer }) };
  throw new RequestError({ status: 409, code: "version-conflict", detail, more });
}

function describeNewer({ version, what, by, at, reason }: AuditEntry): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  const article = /^[aeio]/.test(what) ? "an" : "a";
  return `Found version ${version}, ${article} ${what} by ${by} at ${at}${why}`;
}
