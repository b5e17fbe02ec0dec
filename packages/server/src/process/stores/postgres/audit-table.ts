/** The table of an audit log in Postgres. */

/** Returns the qualified name of the table. @param schema The schema's name, quoted. */
export function auditTable(schema: string): string {
  return `${schema}.audit`;
}

/** Returns the statement that creates the table, if it does not exist. */
export function auditMigration(schema: string): string {
  return (
    `create table if not exists ${auditTable(schema)} (\n` +
    "  version pg_catalog.int8 primary key,\n  entry pg_catalog.text not null\n);\n"
  );
}
