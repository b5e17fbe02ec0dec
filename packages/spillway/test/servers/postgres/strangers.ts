/**
 * What a stranger can do who may create in a schema that others search: functions, operators, aggregates and types
 * with the names of Postgres' own. Each fails when it is run, and the server's log says which.
 */
import { query, type Reachable } from "./query.ts";
import type { PostgresServer } from "./server.ts";

const MARK = "made by a stranger:";

/** All that has run of what strangers made. */
export function sprung({ log }: PostgresServer): readonly string[] {
  return [...log.matchAll(new RegExp(`ERROR: +(${MARK} .+)`, "g"))].map(([, what]) => `${what}`);
}

/** How many functions, operators and types there are now, for which others may be meant. */
export type Seeded = {
  readonly functions: number;
  readonly operators: number;
  readonly types: number;
};

/**
 * Makes a copy of each function, operator, aggregate and type of Postgres' own in `public`, but for those that only C
 * can have. To whoever searches that first, all that is not named with its schema is one of these.
 */
export async function shadowAll(server: Reachable): Promise<Seeded> {
  await query(
    server,
    `set search_path = pg_catalog; ${TRAPS}; ${ARGUMENTS}; ${each(FUNCTIONS)}; ${each(VARIADIC)};
    ${each(OPERATORS)}; ${each(AGGREGATES)}; ${each(TYPES)}`,
  );
  return seeded(server);
}

/**
 * Makes overloads in `public` of the functions and operators that some texts name, for arguments that need a cast to
 * Postgres' own. They fit better, wherever that schema is searched.
 */
export async function overload(server: Reachable, texts: readonly string[]): Promise<Seeded> {
  const text = texts.join("\n").toLowerCase();
  const functions = [...text.matchAll(/\b([a-z_][a-z_0-9]*)\s*\(/g)].map(([, name]) => name);
  const operators = text.match(/[-+*/<>=~!@#%^&|`?]+/g) ?? [];
  const names = `array[${[...new Set([...functions, ...operators])].map((name) => `'${name}'`)}]`;
  await query(
    server,
    `set search_path = pg_catalog; ${FITTING};
    ${each(OVERLOADS.replaceAll(":names", names))}; ${each(OPERATOR_OVERLOADS.replaceAll(":names", names))}`,
  );
  return seeded(server);
}

async function seeded(server: Reachable): Promise<Seeded> {
  const count = (table: string, schema: string) =>
    `(select count(*)::int from pg_catalog.${table} where ${schema} = 'public'::pg_catalog.regnamespace)`;
  const [row] = await query<Seeded>(
    server,
    `set search_path = pg_catalog; select
    ${count("pg_proc", "pronamespace")} as functions, ${count("pg_operator", "oprnamespace")} as operators,
    ${count("pg_type", "typnamespace")} as types`,
  );
  return row as Seeded;
}

/** Carries out each text that a query gives; what Postgres does not allow to be made is left out. */
function each(texts: string): string {
  return `do $each$ declare made text; begin
    for made in ${texts} loop
      begin execute made; exception when others then null; end;
    end loop; end $each$`;
}

const BODY = "language plpgsql as $trap$ begin raise exception";

/** What is run where a type's name is meant. */
const TRAPS = `
  create function public.is_mine(name pg_catalog.text) returns pg_catalog.bool
    ${BODY} '${MARK} type %', name; end $trap$`;

const ARGUMENTS = `
  create function pg_temp.arguments(types oidvector) returns text language sql as $$
    select coalesce(string_agg(format('pg_catalog.%I', typname), ', ' order by n), '')
    from unnest(types) with ordinality as a(type, n) join pg_type on pg_type.oid = a.type $$`;

const FUNCTIONS = `
  select format('create function public.%I(%s) returns pg_catalog.%I ${BODY} ''${MARK} %s''; end $trap$',
    proname, pg_temp.arguments(proargtypes), typname, proname)
  from pg_proc join pg_type on pg_type.oid = prorettype
  where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f' and provariadic = 0`;

const VARIADIC = `
  select distinct format('create function public.%I(variadic pg_catalog.text[]) returns pg_catalog.text ${BODY}
    ''${MARK} %s''; end $trap$', proname, proname)
  from pg_proc where pronamespace = 'pg_catalog'::regnamespace and provariadic <> 0`;

const OPERATORS = `
  select format('create operator public.%s (function = public.%I, rightarg = %s%s)', oprname, proname,
    oprright::regtype, case when oprleft = 0 then '' else format(', leftarg = %s', oprleft::regtype) end)
  from pg_operator join pg_proc on pg_proc.oid = oprcode
  where oprnamespace = 'pg_catalog'::regnamespace and oprright <> 0`;

const AGGREGATES = `
  select format('create function public.of_aggregate(%s) returns pg_catalog.int4 ${BODY} ''${MARK} aggregate''; end $trap$',
    concat_ws(', ', 'pg_catalog.int4', nullif(arguments, '')))
  from (select distinct pg_temp.arguments(proargtypes) as arguments from pg_proc where prokind = 'a') as signatures
  union all
  select format('create aggregate public.%I(%s) (sfunc = public.of_aggregate, stype = pg_catalog.int4)', proname,
    case when pronargs = 0 then '*' else pg_temp.arguments(proargtypes) end)
  from pg_proc where prokind = 'a'`;

const TYPES = `
  select format('create domain public.%s as pg_catalog.%s check (public.is_mine(%L))', typname, typname, typname)
  from pg_type where typnamespace = 'pg_catalog'::regnamespace and typtype = 'b' and typelem = 0`;

/** Arguments that a function would be given more gladly than those that it has: all combinations. */
const FITTING = `
  create function pg_temp.fitting(type oid) returns setof text language sql as $$
    select unnest(case type::regtype
      when 'bigint'::regtype then array['int4', 'int8'] when 'oid'::regtype then array['regclass', 'int4', 'oid']
      when 'double precision'::regtype then array['int4', 'int8', 'numeric', 'float8']
      when 'numeric'::regtype then array['int4', 'int8', 'numeric']
      when 'text'::regtype then array['varchar', 'name', 'text'] when 'anyarray'::regtype then array['_text', '_float8']
      when '"any"'::regtype then array['text', 'int4', 'float8', 'json']
      when 'anyelement'::regtype then array['text', 'int4', 'float8', 'json', 'record']
      when 'anycompatible'::regtype then array['text', 'int4', 'float8']
      when 'anynonarray'::regtype then array['text', 'int4', 'int8', 'float8', 'xid8']
      else array[(select typname::text from pg_type where oid = type)] end) $$;
  create function pg_temp.combined(types oidvector) returns setof text[] language plpgsql as $$
    begin
      if cardinality(types::oid[]) = 0 or cardinality(types::oid[]) > 3 then return; end if;
      return query with recursive c(n, chosen) as (
        select 0, '{}'::text[] union all
        select n + 1, chosen || f from c, pg_temp.fitting(types[n]) as f where n < cardinality(types::oid[])
      ) select chosen from c where n = cardinality(types::oid[]);
    end $$`;

const OVERLOADS = `
  select format('create function public.%I(%s) returns pg_catalog.%I ${BODY} ''${MARK} %s''; end $trap$', proname,
    (select string_agg(format('pg_catalog.%I', one), ', ' order by n) from unnest(chosen) with ordinality as c(one, n)),
    case when typtype = 'p' then 'text' else typname end, proname)
  from pg_proc join pg_type on pg_type.oid = prorettype cross join pg_temp.combined(proargtypes) as chosen
  where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f' and proname = any (:names)`;

const OPERATOR_OVERLOADS = `
  select unnest(array[
    format('create function public.of_operator_%s(pg_catalog.%I, pg_catalog.%I) returns pg_catalog.%I ${BODY} ''${MARK} %s''; end $trap$',
      pg_operator.oid, chosen[1], chosen[2], case when typtype = 'p' then 'text' else typname end, oprname),
    format('create operator public.%s (leftarg = pg_catalog.%I, rightarg = pg_catalog.%I, function = public.of_operator_%s)',
      oprname, chosen[1], chosen[2], pg_operator.oid)])
  from pg_operator join pg_type on pg_type.oid = oprresult
  cross join pg_temp.combined(format('%s %s', oprleft, oprright)::oidvector) as chosen
  where oprnamespace = 'pg_catalog'::regnamespace and oprleft <> 0 and oprname = any (:names)`;
