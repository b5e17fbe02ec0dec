/** Programs of older versions of the schema: what they send, by way of a pool. */
import { readFileSync } from "node:fs";
import pg from "pg";

export type OlderVersion = 1 | 2 | 3;

/** What they install. */
export const OLDER: { readonly [V in OlderVersion]: string } = {
  1: installOf(1),
  2: installOf(2),
  3: installOf(3),
};

function installOf(version: OlderVersion): string {
  return readFileSync(new URL(`fixtures/version-${version}.sql`, import.meta.url), "utf8");
}

const budgets = "$1::text::text[], $2::text::text[], $3::text::int[], $4::text::float8[]";
const rest = (at: number) => `nullif($${at}::text, '')::float8, nullif($${at + 1}::text, '')::int`;

/** The statements of version 1, by the functions that they call. */
const STATEMENTS: Readonly<Record<string, string>> = {
  execute: `${budgets}, $5::text::float8[], $6::text::float8[], ${rest(7)}`,
  peek: `${budgets}, $5::text::float8[], ${rest(6)}`,
  take_from_buckets: `$1::text::text[], $2::text, $3::text::float8, $4::text::float8, $5::text::float8, ${rest(6)}`,
  sweep: "$1::text, $2::text::int, nullif($3::text, '')::float8",
};

type Query = { readonly name: string; readonly text: string; readonly values: readonly string[] };

/** A pool that sends what a store of today asks as a version would have. */
export function olderPool(url: string, version: OlderVersion): pg.Pool {
  const asOlder = { 1: asVersion1, 2: asVersion2, 3: asVersion3 }[version];
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("connect", (client) => {
    const { query } = client;
    const rewritten = (statement: Query, ...others: unknown[]) => {
      const all = [asOlder(statement), ...others];
      return query.apply(client, all as unknown as Parameters<typeof query>);
    };
    Object.assign(client, { query: rewritten });
  });
  return pool;
}

/** It has no function for overrides, which nobody asked it for. */
function asVersion3({ text, values, name }: Query): Query {
  return { name: name?.replace("v4_", "v3_"), text: text.replace("v4_", "v3_"), values };
}

/** It has no function for rows that are there: what its function replies has nothing left. */
function asVersion2({ text, values, name }: Query): Query {
  const older = { name: name?.replace("v4_", "v2_"), text: text.replace("v4_", "v2_"), values };
  if (!text.includes("v4_take_present(")) return older;
  const call = older.text.replace("v2_take_present", "v2_take_from_buckets");
  const parameters = `$${values.length + 1}::text)`;
  return { ...older, text: call.replace(/\)$/, `, ${parameters}`), values: [...values, ""] };
}

function asVersion1(query: Query): Query {
  const { text, values } = asVersion2(query);
  const [, name] = /v2_(\w+)\(/.exec(text) ?? [];
  // The register is a table, whose statements call no function.
  if (name === undefined) return query;
  const call = `spillway.v1_${name}`;
  // What comes last says whose transaction it is in; what may be left out is a list of one number or none.
  const left = name === "sweep" ? values : values.slice(0, -1);
  const optional = name === "sweep" ? 1 : 2;
  const plain = left.map((value, index) =>
    index < left.length - optional ? value : value.replace(/[{}]/g, ""),
  );
  return { name: call, text: `select ${call}(${STATEMENTS[name]})`, values: plain };
}
