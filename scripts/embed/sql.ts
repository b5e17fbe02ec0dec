/** What `npm run embed` writes into the SQL files of the Postgres store, in place of what they only name. */

/** The tables of the protocol. */
export type Protocol = {
  /** By what the ports call them: `TAKE`, `TOKEN_BUCKET`. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly kinds: Readonly<Record<string, number>>;
  readonly steps: readonly { readonly number: number; readonly fields: readonly string[] }[];
  /** The fields of an ask. */
  readonly ask: readonly string[];
};

/** The SQL files put together. */
export type Sql = {
  /** Part of the names of all functions and types. */
  readonly version: number;
  readonly text: string;
};

/** What `--include-kinds` stands for: the file of each kind, in the order of their numbers. */
export function kindIncludes(kinds: Protocol["kinds"]): string {
  const files = Object.keys(kinds).map((kind) => `${kind.replace(" ", "-")}.sql`);
  return files.map((file) => `--include ${file}`).join("\n");
}

/**
 * Writes numbers for `:TAKE` and the like, `:ASK_COUNT` for the position of a field in an ask,
 * `:FIELDS(step)` for how many numbers follow that of a step, `:BY_KIND(charge(…))` for a call of the
 * kind's own function, and the version for `v.`.
 */
export function expanded(source: string, protocol: Protocol): Sql {
  const version = Number(/^--version (\d+)\n/.exec(source)?.[1]);
  const fields = protocol.ask.map((name, index) => [`ASK_${name.toUpperCase()}`, index] as const);
  const all = new Map([...protocol.numbers, ...fields, ["VERSION", version] as const]);
  const counts = protocol.steps.map(({ number, fields }) => `when ${number} then ${fields.length}`);
  const text = source
    .replace(/^--version .*\n/, "")
    .replace(/:BY_KIND\((\w+)(\(.*?\))\)/g, (_, name, values) =>
      byKind(protocol.kinds, (kind) => ({ source, name: `v.${kind}_${name}`, values })),
    )
    .replace(/(?<!:):FIELDS\((\w+)\)/g, (_, step) => `case ${step} ${counts.join(" ")} end`)
    .replace(/(?<!:):([A-Z_]+)\b/g, (text, name) => `${all.get(name) ?? text}`)
    .replace(/\bv\.(?=[a-z])/g, `spillway.v${version}_`);
  return { version, text };
}

type Call = { readonly source: string; readonly name: string; readonly values: string };

/** Calls a kind's own function, or the one for all rates where the kind has none. */
function byKind(kinds: Protocol["kinds"], callOf: (kind: string) => Call): string {
  const cases = Object.entries(kinds).flatMap(([kind, number]) => {
    const call = written(callOf(kind.replace(" ", "_")));
    return call === undefined ? [] : [`when ${number} then ${call}`];
  });
  const common = written(callOf("rate"));
  return `case plan.kind ${cases.join(" ")}${common === undefined ? "" : ` else ${common}`} end`;
}

function written({ source, name, values }: Call): string | undefined {
  return source.includes(`create function ${name}(`) ? `${name}${values}` : undefined;
}
