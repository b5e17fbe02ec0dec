import type { AuditEntry } from "../../../service/index.ts";

/** Reads an entry from its JSON. Returns a list of one, or an empty one if the text is none. */
export function entryIn(text: string): readonly AuditEntry[] {
  try {
    const entry: AuditEntry = JSON.parse(text);
    const isEntry = Number.isSafeInteger(entry.version) && Array.isArray(entry.on);
    return isEntry ? [entry] : [];
  } catch {
    return [];
  }
}
