import { DrizzleQueryError } from "drizzle-orm";
import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { sqlState } from "../../../src/stores/postgres/clients/sql-state.ts";

const lost = Object.assign(new DatabaseError("lost", 4, "error"), { code: "40001" });
const endless = new Error("endless");
endless.cause = endless;

test.each([
  ["a driver's error", lost, "40001"],
  ["one that Drizzle wraps", new DrizzleQueryError("select", [], lost), "40001"],
  ["one that TypeORM wraps", Object.assign(new Error("no"), { driverError: lost }), "40001"],
  ["one that Prisma tells of", prisma({ code: "22012", originalCode: "22012" }), "22012"],
  ["one that Prisma knows by name", prisma({ originalCode: "23505" }), "23505"],
  ["one of several", new AggregateError([new Error("no"), lost]), "40001"],
  ["one raised by a function", Object.assign(new Error("no"), { code: "P0001" }), "P0001"],
  ["one of Node's", Object.assign(new Error("broken pipe"), { code: "EPIPE" }), undefined],
  ["one of postgres.js'", Object.assign(new Error(), { code: "CONNECTION_CLOSED" }), undefined],
  ["one without a code", new Error("40001"), undefined],
  ["its own cause", endless, undefined],
  ["no error", "40001", undefined],
  ["nothing", undefined, undefined],
])("%s", (_, error, state) => {
  expect(sqlState(error)).toBe(state);
});

/** As of Prisma 7, over an adapter. */
function prisma(cause: object): Error {
  const meta = { driverAdapterError: { name: "DriverAdapterError", cause } };
  return Object.assign(new Error("Raw query failed"), { code: "P2010", meta });
}
