import type { Statement } from "../../../src/stores/postgres/clients/connect.ts";

/** For whom a statement is never late. */
export const never = () => false;

/** A statement that is told apart from others by its text. */
export const select = (text: string, ...values: string[]): Statement => ({
  name: text.slice(0, 60),
  text: `select ${text}`,
  values,
});

export const ECHO: Statement = select("upper($1::text) || $2::text", "it's $1\\?", "!");

/** Fails with the state 22012. */
export const FAIL: Statement = select("(1 / 0)::text");

/** Ends the connection on which it runs. */
export const DIE: Statement = select(
  "concat(pg_terminate_backend(pg_backend_pid()), pg_sleep(60))",
);
