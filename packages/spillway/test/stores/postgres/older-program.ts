/** A program of version 1 of the schema: what it sends, by way of a pool. */
import { readFileSync } from "node:fs";
import pg from "pg";

/** What it installs. */
export const VERSION_1 = readFileSync(new URL("fixtures/version-1.sql", import.meta.url), "utf8");

const budgets = "$1::text::text[], $2::text::text[], $3::text::int[], $4::text::float8[]";
const rest = (at: number) => `nullif($${at}::text, '')::float8, nullif($${at + 1}::text, '')::int`;

/** Its statements, by the functions that they call. */
const STATEMENTS: Readonly<Record<string, string>> = {
  execute: `${budgets}, $5::text::float8[], $6::text::float8[], ${rest(7)}`,
  peek: `${budgets}, $5::text::float8[], ${rest(6)}`,
  take_from_buckets: `$1::text::text[], $2::text, $3::text::float8, $4::text::float8, $5::text::float8, ${rest(6)}`,
  sweep: "$1::text, $2::text::int, nullif($3::text, '')::float8",
};

type Query = { readonly name: string; readonly text: string; readonly values: readonly string[] };

/** A pool that sends what a store of today asks as that version would have. */
export function olderPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("connect", (client) => {
    const { query } = client;
    const rewritten = (statement: Query, ...others: unknown[]) => {
      const all = [asVersion1(statement), ...others];
      return query.apply(client, all as unknown as Parameters<typeof query>);
    };
    Object.assign(client, { query: rewritten });
  });
  return pool;
}

function asVersion1({ text, values }: Query): Query {
  const [, name = ""] = /v2_(\w+)\(/.exec(text) ?? [];
  const call = `spillway.v1_${name}`;
  // What comes last says whose transaction it is in; what may be left out is a list of one number or none.
  const left = name === "sweep" ? values : values.slice(0, -1);
  const optional = name === "sweep" ? 1 : 2;
  const plain = left.map((value, index) =>
    index < left.length - optional ? value : value.replace(/[{}]/g, ""),
  );
  return { name: call, text: `select ${call}(${STATEMENTS[name]})`, values: plain };
}
