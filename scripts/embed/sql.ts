/** What `npm run embed` writes into the SQL files of the Postgres store, in place of what they only name. */

/** The tables of the protocol. */
export type Protocol = {
  /** By what the ports call them: `TAKE`, `TOKEN_BUCKET`. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly kinds: Readonly<Record<string, number>>;
  /** Kinds of which units are lent: "lent token bucket" is a token bucket with shares. */
  readonly lentKinds: Readonly<Record<string, number>>;
  readonly steps: Readonly<
    Record<string, { readonly number: number; readonly fields: readonly string[] }>
  >;
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
  const files = Object.keys(kinds).map((kind) => `${kind.replaceAll(" ", "-")}.sql`);
  return files.map((file) => `--include ${file}`).join("\n");
}

/**
 * Writes numbers for `:TAKE` and the like, `:ASK_COUNT` for the position of a field in an ask,
 * `:DRAW_WANT` for that of one in a step, `:FIELDS(step)` for how many numbers follow that of a step, `:BY_KIND(charge(…))` for a call of the
 * kind's own function, and the version for `v.`.
 */
export function expanded(source: string, protocol: Protocol): Sql {
  const version = Number(/^--version (\d+)\n/.exec(source)?.[1]);
  const fields = protocol.ask.map((name, index) => [`ASK_${name.toUpperCase()}`, index] as const);
  const all = new Map([
    ...protocol.numbers,
    ...fields,
    ...stepFields(protocol.steps),
    ["VERSION", version] as const,
  ]);
  const counts = Object.values(protocol.steps).map(
    ({ number, fields }) => `when ${number} then ${fields.length}`,
  );
  const text = source
    .replace(/^--version .*\n/, "")
    .replace(/:BY_KIND\((\w+)(\(.*?\))\)/g, (_, name, values) =>
      byKind(protocol, (kind) => ({ source, name: `v.${kind}_${name}`, values })),
    )
    .replace(/(?<!:):FIELDS\(([\w[\]]+)\)/g, (_, step) => `case ${step} ${counts.join(" ")} end`)
    .replace(/(?<!:):([A-Z_]+)\b/g, (text, name) => `${all.get(name) ?? text}`)
    .replace(/\bv\.(?=[a-z])/g, `spillway.v${version}_`);
  return { version, text };
}

/** The place of each field behind the number of its step. */
function stepFields(steps: Protocol["steps"]): readonly (readonly [string, number])[] {
  return Object.entries(steps).flatMap(([step, { fields }]) =>
    fields.map((field, index) => [`${step}_${field}`.toUpperCase(), index + 1] as const),
  );
}

type Call = { readonly source: string; readonly name: string; readonly values: string };

/**
 * Calls a kind's own function, or the one for all rates where the kind has none. One whose units are lent has those
 * of all such kinds as well, and those of the kind without shares.
 */
function byKind({ kinds, lentKinds }: Protocol, callOf: (kind: string) => Call): string {
  const cases = Object.entries({ ...kinds, ...lentKinds }).flatMap(([kind, number]) => {
    const call = namesOf(kind).map(callOf).map(written).find(Boolean);
    return call === undefined ? [] : [`when ${number} then ${call}`];
  });
  const common = written(callOf("rate"));
  return `case plan.kind ${cases.join(" ")}${common === undefined ? "" : ` else ${common}`} end`;
}

/** What a kind's own functions may begin with: the first that there is counts. */
function namesOf(kind: string): readonly string[] {
  const name = kind.replaceAll(" ", "_");
  return name.startsWith("lent_") ? [name, "lent", name.slice("lent_".length)] : [name];
}

function written({ source, name, values }: Call): string | undefined {
  return source.includes(`create function ${name}(`) ? `${name}${values}` : undefined;
}
