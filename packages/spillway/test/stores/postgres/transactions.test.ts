/** A statement in a transaction of a library's is a part of it: of its end, and of its errors. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  connect,
  type PostgresConnection,
  type Statement,
} from "../../../src/stores/postgres/clients/connect.ts";
import { sqlState } from "../../../src/stores/postgres/clients/sql-state.ts";
import { adaptTransaction } from "../../../src/stores/postgres/clients/transaction-adapter.ts";
import type { PostgresServer } from "../../servers/postgres/server.ts";
import { startPostgres } from "../../servers/postgres/start.ts";
import { libraries } from "./libraries/all.ts";
import type { Library } from "./libraries/library.ts";
import { FAIL, never } from "./statements.ts";

/** Writes something down, and answers with it. */
const write = (value: string): Statement => ({
  name: "write",
  text: "insert into notes (value) values ($1::text) returning value",
  values: [value],
});

const READ: Statement = {
  name: "read",
  text: "select coalesce(string_agg(value, ' ' order by id), 'nothing') from notes",
  values: [],
};

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

/** After the end these run what they are given on a connection that is the pool's again. */
const SILENT = new Set(["postgres.js", "Drizzle over node-postgres", "Drizzle over postgres.js"]);

/** These send their own statements a moment later as well, when the transaction may be over. */
const SLOW = new Set(["Kysely", "Kysely, controlled"]);

describe.each(Object.entries(libraries))("in a transaction of %s", (name, open) => {
  let library: Library;
  const written = () => connect(library.database).run(READ, never);

  beforeAll(async () => {
    library = await open(server.url);
    await connect(library.database).script(
      "create table if not exists notes (id int generated always as identity, value text)",
    );
  });
  beforeEach(() => connect(library.database).script("truncate notes"));
  afterAll(() => library[Symbol.asyncDispose]());

  test("a statement is committed with it", async () => {
    await library.transact(async (transaction) => {
      expect(await adaptTransaction(transaction).run(write("one"), never)).toBe("one");
      expect(await adaptTransaction(transaction).run(write("two"), never)).toBe("two");
    });
    expect(await written()).toBe("one two");
  });

  test("a statement is rolled back with it", async () => {
    const failed = library.transact(async (transaction) => {
      await adaptTransaction(transaction).run(write("one"), never);
      throw new Error("no more stock");
    });
    await expect(failed).rejects.toThrow("no more stock");
    expect(await written()).toBe("nothing");
  });

  test("a statement is rolled back to a savepoint, and no further", async () => {
    await library.transact(async (transaction, nested) => {
      await adaptTransaction(transaction).run(write("one"), never);
      await nested(async (inner) => {
        await adaptTransaction(inner).run(write("two"), never);
        throw new Error("no more stock");
      }).catch(() => {});
      await adaptTransaction(transaction).run(write("three"), never);
    });
    expect(await written()).toBe("one three");
  });

  test.skipIf(SLOW.has(name))("what was run beside work that failed is rolled back", async () => {
    const failed = library.transact(async (transaction) => {
      const { run } = adaptTransaction(transaction);
      const more = ["one", "two", "three", "four"].map((value) => run(write(value), never));
      for (const one of more) one.catch(() => {});
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    // Whatever was on its way is over when the next statement on each connection is.
    await Promise.all(Array.from({ length: 10 }, written));
    expect(await written()).toBe("nothing");
  });

  test("the database's own errors are what a statement fails with", async () => {
    const states: (string | undefined)[] = [];
    const note = (error: unknown) => states.push(sqlState(error));
    await library
      .transact(async (transaction) => {
        await adaptTransaction(transaction).run(FAIL, never).catch(note);
        await adaptTransaction(transaction).run(write("one"), never).catch(note);
        throw new Error("ended");
      })
      .catch(() => {});
    expect(states).toEqual(["22012", "25P02"]);
    expect(await written()).toBe("nothing");
  });

  test("statements that are run at once are in order", async () => {
    const values = Array.from({ length: 20 }, (_, n) => `${n}`);
    await library.transact(async (transaction) => {
      const answers = values.map((value) => adaptTransaction(transaction).run(write(value), never));
      expect(await Promise.all(answers)).toEqual(values);
    });
    expect(await written()).toBe(values.join(" "));
  });

  const values = {
    nothing: "",
    quotes: `'"''$$`,
    "parameters of one sort": "$1 $2",
    "parameters of another": "? ?? \\? :key",
    backslashes: "\\ \\\\ \\n \\'",
    "line ends": "\n\r\n",
    "what looks like data": '{"a":[1,null]}',
    "what looks like a number": "007",
    "letters of all sorts": "é中🦫\u{10ffff}",
    "a megabyte": "7€".repeat(250_000),
  };
  test.each(Object.entries(values))("%s: a value survives as it is", async (_, value) => {
    const text = "select $2::text || $1::text || $2::text";
    const statement = { name: "echo", text, values: [value, "|"] };
    await library.transact(async (transaction) => {
      expect(await adaptTransaction(transaction).run(statement, never)).toBe(`|${value}|`);
    });
  });

  test("what begins transactions is not taken for one", () => {
    const error = { code: "bad-transaction", field: "transaction" };
    expect(() => adaptTransaction(library.root)).toThrow(expect.objectContaining(error));
  });

  test.skipIf(SILENT.has(name))("nothing is done after its end", async () => {
    let left: PostgresConnection | undefined;
    await library.transact(async (transaction) => {
      left = adaptTransaction(transaction);
    });
    await expect(left?.run(write("one"), never)).rejects.toThrow();
    expect(await written()).toBe("nothing");
  });
});

test.each([
  ["nothing", undefined],
  ["a name", "transaction"],
  ["a limiter's store", { limit() {}, check() {} }],
  ["a pool of another database", { query() {}, getConnection() {} }],
])("%s is not taken for a transaction", (_, given) => {
  const error = { code: "bad-transaction", field: "transaction" };
  expect(() => adaptTransaction(given as object)).toThrow(expect.objectContaining(error));
});
