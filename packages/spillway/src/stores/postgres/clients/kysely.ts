/** Kysely, over whichever dialect of Postgres. */
import type { Statement } from "./connection.ts";
import { checkedSender, has, notATransaction, type TransactionAdapter } from "./library.ts";

/** Kysely's `CompiledQuery`, as `CompiledQuery.raw` would make it. */
type CompiledQuery = {
  readonly sql: string;
  readonly parameters: readonly string[];
  /** What it was compiled from, for plugins to read. */
  readonly query: {
    readonly kind: "RawNode";
    readonly sqlFragments: readonly string[];
    readonly parameters: readonly never[];
  };
  readonly queryId: { readonly queryId: string };
};

/** What is used of a `Transaction`, controlled or not. */
type KyselyTransaction = {
  /** A database has it as well; there it is false. */
  readonly isTransaction: boolean;
  withoutPlugins(): { executeQuery(query: CompiledQuery): Promise<unknown> };
};

export const adaptKysely: TransactionAdapter = (candidate) => {
  if (!has<KyselyTransaction>(candidate, "withoutPlugins")) return undefined;
  if (!candidate.isTransaction) {
    const expected = "what Kysely's transaction().execute hands to its callback";
    throw notATransaction(candidate, expected, "Or what startTransaction().execute() gives");
  }
  // Plugins may read rows their own way: one of Kysely's parses every text that looks like JSON.
  const plain = candidate.withoutPlugins();
  return checkedSender((statement) => plain.executeQuery(compiled(statement)));
};

function compiled({ name, text, values }: Statement): CompiledQuery {
  const query = { kind: "RawNode", sqlFragments: [text], parameters: [] } as const;
  return { sql: text, parameters: values, query, queryId: { queryId: name } };
}
