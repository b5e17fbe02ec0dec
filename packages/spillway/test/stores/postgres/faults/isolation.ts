/** What a transaction sees of others that are there at the same time. */
export const ISOLATIONS = ["read committed", "repeatable read", "serializable"] as const;

export type Isolation = (typeof ISOLATIONS)[number];

/** An address by which every transaction is at this level, unless it says otherwise. */
export function isolated(url: string, isolation: Isolation): string {
  const options = `-c default_transaction_isolation=${isolation.replace(" ", "\\ ")}`;
  return `${url}?options=${encodeURIComponent(options)}`;
}
