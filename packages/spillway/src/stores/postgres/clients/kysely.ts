/** Adapts transactions of Kysely, over any Postgres dialect. */
import type { Statement } from "./connection.ts";
import { checkedSender, has, notATransaction, type TransactionAdapter } from "./library.ts";

/** Kysely's `CompiledQuery`, as `CompiledQuery.raw` would create it. */
type CompiledQuery = {
  readonly sql: string;
  readonly parameters: readonly string[];
  /** The source of the query, for plugins. */
  readonly query: {
    readonly kind: "RawNode";
    readonly sqlFragments: readonly string[];
    readonly parameters: readonly never[];
  };
  readonly queryId: { readonly queryId: string };
};

/** The part of a `Transaction` that is used, controlled or not. */
type KyselyTransaction = {
  /** False for a database, which has this field as well. */
  readonly isTransaction: boolean;
  withoutPlugins(): { executeQuery(query: CompiledQuery): Promise<unknown> };
};

export const adaptKysely: TransactionAdapter = (candidate) => {
  if (!has<KyselyTransaction>(candidate, "withoutPlugins")) return undefined;
  if (!candidate.isTransaction) {
    const expected = "what Kysely's transaction().execute hands to its callback";
    throw notATransaction(candidate, expected, "Or what startTransaction().execute() returns");
  }
  // Plugins may change rows: one of Kysely's own parses every text that looks like JSON.
  const plain = candidate.withoutPlugins();
  return checkedSender((statement) => plain.executeQuery(compiled(statement)));
};

function compiled({ name, text, values }: Statement): CompiledQuery {
  const query = { kind: "RawNode", sqlFragments: [text], parameters: [] } as const;
  return { sql: text, parameters: values, query, queryId: { queryId: name } };
}
