import type {
  RegisterAnswer,
  RegisterCommand,
  RegisterCommandOf,
} from "../../limits/core/index.ts";
import { prepare, rowOf, type SqliteDatabase } from "./database.ts";

type ListedEntry = RegisterAnswer<RegisterCommandOf<"list">>[number];

/** The values of a row that is read. */
type RowValues = readonly [id: string, reason: string, revision: number, since: number];

/** Entries that each writing removes at most, of those that are over. */
const SWEPT = 10;

/**
 * The register of exceptions, over one connection. The caller wraps each command in a transaction.
 */
export class SqliteRegister {
  readonly #put;
  readonly #sweep;
  readonly #remove;
  readonly #next;

  /** @param table The quoted name of an existing table. */
  constructor(database: SqliteDatabase, table: string) {
    const prepared = (sql: string) => prepare(database, sql);
    this.#put = prepared(`insert into ${table} (id, reason, revision, since, until)
      values (?, ?, ?, ?, ?) on conflict (id) do update set reason = excluded.reason,
      revision = excluded.revision, since = excluded.since, until = max(until, excluded.until)`);
    this.#sweep = prepared(`delete from ${table} where id in
      (select id from ${table} where until <= ? order by until limit ${SWEPT})`);
    this.#remove = prepared(`delete from ${table} where id = ? and revision = ?`);
    this.#next = prepared(`select id, reason, revision, since from ${table}
      where id > ? and id < ? order by id limit 1`);
  }

  /** @param now The time, read within the transaction. */
  execute(command: RegisterCommand, now: number): RegisterAnswer<RegisterCommand> {
    if (command.verb === "list") return this.#list(command);
    if (command.verb === "remove") this.#remove.run(command.id, command.revision);
    else {
      const { id, reason, revision } = command.entry;
      this.#put.run(id, reason, revision, now, now + command.ms);
      this.#sweep.run(now);
    }
    return undefined;
  }

  #list({ after, before, most }: RegisterCommandOf<"list">): readonly ListedEntry[] {
    const entries: ListedEntry[] = [];
    for (let last = after; entries.length < most; ) {
      const row = rowOf(this.#next, last, before) as RowValues | undefined;
      if (row === undefined) break;
      const [id, reason, revision, since] = row;
      entries.push({ id, reason, revision, since });
      last = id;
    }
    return entries;
  }
}
