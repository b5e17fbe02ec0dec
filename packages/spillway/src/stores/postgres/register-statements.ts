import type {
  RegisterAnswer,
  RegisterCommand,
  RegisterCommandOf,
} from "../../limits/core/index.ts";
import type { Statement } from "./clients/index.ts";
import { contextValues, OVER, type StatementContext, UNKNOWN } from "./statements.ts";

/** Entries that each writing removes at most, of those that are over. */
const SWEPT = 10;

/** Parameters 1 to 3: the context of the statement. */
const AT = "($1::pg_catalog.text::pg_catalog.int8[])[1]";
const LOCK_TIMEOUT = "($2::pg_catalog.text::pg_catalog.text[])[1]";
const TRANSACTION = "$3::pg_catalog.text";
const CLOCK = `pg_catalog.floor(pg_catalog.date_part('epoch', pg_catalog.clock_timestamp())
  operator(pg_catalog.*) 1000)::pg_catalog.int8`;
/** The transaction's id, of a statement that has none yet if it only reads. */
const KNOWN_ID = "pg_catalog.pg_current_xact_id_if_assigned()::pg_catalog.text";
const NEW_ID = "pg_catalog.pg_current_xact_id()::pg_catalog.text";

/** The time, and whether the statement is in the transaction that it was meant for. */
const CONTEXT = `context as materialized (
  select coalesce(${AT}, ${CLOCK}) as now,
    coalesce(${TRANSACTION} operator(pg_catalog.=)
      any (array['', '${UNKNOWN}', ${KNOWN_ID}]), false) as here,
    case when ${LOCK_TIMEOUT} is not null
      then pg_catalog.set_config('lock_timeout', ${LOCK_TIMEOUT}, true) end as setting)`;
const HERE = "(select here from context)";
const ID = "$4::pg_catalog.text";

/**
 * The statements for the register. All parameters are text.
 *
 * They call no functions of the schema, so they are the same for all its versions. The caller's
 * search path applies to them, so each function, type and operator has its schema.
 */
export class RegisterStatements {
  readonly #all: {
    readonly [V in RegisterCommand["verb"]]: Pick<Statement, "name" | "text">;
  };

  /** @param schema A checked name, without quotes. */
  constructor(schema: string) {
    const table = `"${schema}".exceptions`;
    const named = (verb: RegisterCommand["verb"], text: string) => ({
      name: `${schema}.register_${verb}`,
      text,
    });
    this.#all = {
      put: named("put", putting(table)),
      remove: named("remove", removing(table)),
      list: named("list", listing(table)),
    };
  }

  /** Returns the statement for a command. */
  of(command: RegisterCommand, context: StatementContext): Statement {
    return {
      ...this.#all[command.verb],
      values: [...contextValues(context), ...valuesOf(command)],
    };
  }
}

/** Parameters: id, reason, revision, and milliseconds. */
function putting(table: string): string {
  const over = `select id from ${table}
    where until operator(pg_catalog.<=) (select now from context)
    and id operator(pg_catalog.<>) ${ID} and ${HERE}
    order by until limit ${SWEPT} for update skip locked`;
  return `with ${CONTEXT}, written as (
    insert into ${table} as kept (id, reason, revision, since, until)
    select ${ID}, $5::pg_catalog.text, ${whole(6)}, now, now operator(pg_catalog.+) ${whole(7)}
    from context where here
    on conflict (id) do update set reason = excluded.reason, revision = excluded.revision,
      since = excluded.since, until = greatest(kept.until, excluded.until)
  ), swept as (
    delete from ${table} where id operator(pg_catalog.=) any (array(${over}))
  ) ${replying("''", { id: NEW_ID })}`;
}

/** Parameters: id, and revision. */
function removing(table: string): string {
  return `with ${CONTEXT}, removed as (
    delete from ${table} where id operator(pg_catalog.=) ${ID}
    and revision operator(pg_catalog.=) ${whole(5)} and ${HERE}
  ) ${replying("''", { id: NEW_ID })}`;
}

/** Parameters: after, before, and most. */
function listing(table: string): string {
  const entries = `select pg_catalog.json_agg(
      pg_catalog.json_build_array(id, reason, revision, since) order by id)::pg_catalog.text
    from (select id, reason, revision, since from ${table}
      where id operator(pg_catalog.>) ${ID} and id operator(pg_catalog.<) $5::pg_catalog.text
      order by id limit ${whole(6)}) as listed`;
  const id = `coalesce(${KNOWN_ID}, '${UNKNOWN}')`;
  return `with ${CONTEXT} ${replying(`coalesce((${entries}), '[]')`, { id })}`;
}

/** Returns the end of a statement: its reply, and in a caller's transaction that one's id. */
function replying(reply: string, { id }: { readonly id: string }): string {
  const end = `case when ${TRANSACTION} operator(pg_catalog.=) '' then ''
    else ' ' operator(pg_catalog.||) ${id} end`;
  return `select case when here then ${reply} operator(pg_catalog.||) ${end}
    else '${OVER}' end from context`;
}

function whole(parameter: number): string {
  return `$${parameter}::pg_catalog.text::pg_catalog.int8`;
}

/** Returns the answer that a reply means. @throws Error if it is no reply to the command */
export function readRegisterReply<C extends RegisterCommand>(
  { verb }: C,
  reply: string,
): RegisterAnswer<C> {
  return (verb === "list" ? entriesIn(reply) : undefined) as RegisterAnswer<C>;
}

type Row = readonly [id: string, reason: string, revision: number, since: number];

function entriesIn(reply: string): RegisterAnswer<RegisterCommandOf<"list">> {
  const rows = JSON.parse(reply) as readonly Row[];
  return rows.map(([id, reason, revision, since]) => ({ id, reason, revision, since }));
}

function valuesOf(command: RegisterCommand): readonly string[] {
  switch (command.verb) {
    case "put": {
      const { id, reason, revision } = command.entry;
      return [id, reason, `${revision}`, `${command.ms}`];
    }
    case "remove":
      return [command.id, `${command.revision}`];
    case "list":
      return [command.after, command.before, `${command.most}`];
  }
}
