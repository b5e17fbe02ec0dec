/** How what is exported differs from the last release, and whether the changelog says so. Pure. */

/** A short code of each exported name's declaration, by import and name. */
export type Surface = { readonly [importName: string]: { readonly [name: string]: string } };

export type Change = {
  readonly kind: Kind;
  readonly name: string;
  /** What a program imports it from, such as `spillway/redis`. */
  readonly from: string;
};

const KINDS = { Added: "to", Changed: "of", Removed: "from" } as const;

type Kind = keyof typeof KINDS;

export function changesBetween(released: Surface, present: Surface): readonly Change[] {
  const imports = [...new Set([...Object.keys(released), ...Object.keys(present)])].toSorted();
  return imports.flatMap((from) => {
    const [before = {}, now = {}] = [released[from], present[from]];
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted();
    return names.flatMap((name) => {
      const kind = kindOf(before[name], now[name]);
      return kind === undefined ? [] : [{ kind, name, from }];
    });
  });
}

function kindOf(before: string | undefined, now: string | undefined): Kind | undefined {
  if (before === now) return undefined;
  if (before === undefined) return "Added";
  return now === undefined ? "Removed" : "Changed";
}

/** The changes that the changelog has to name, and does not; and those that it names, and there are none. */
export type Differences = {
  readonly unnamed: readonly string[];
  readonly untrue: readonly string[];
};

/**
 * Compares changes with a section of the changelog, which names them in items such as
 * "- Changed `redisStore` of `spillway/redis`: why", of several names and imports if all are true.
 */
export function differences(changes: readonly Change[], section: string): Differences {
  const named = namedIn(section);
  return { unnamed: linesFor(without(changes, named)), untrue: linesFor(without(named, changes)) };
}

function without(changes: readonly Change[], others: readonly Change[]): readonly Change[] {
  const known = new Set(others.map(idOf));
  return changes.filter((change) => !known.has(idOf(change)));
}

function idOf({ kind, name, from }: Change): string {
  return JSON.stringify([kind, name, from]);
}

/** Lines that name changes, up to the reason: one for each name, with all its imports. */
function linesFor(changes: readonly Change[]): readonly string[] {
  const groups = Map.groupBy(changes, ({ kind, name }) => `- ${kind} \`${name}\` ${KINDS[kind]}`);
  return [...groups].map(([start, group]) => {
    const imports = [...new Set(group.map(({ from }) => `\`${from}\``))];
    return `${start} ${imports.join(", ")}: …`;
  });
}

const ITEM = /^- (Added|Changed|Removed) (`[^:]*?) (?:to|of|from) (`[^:]*):/gm;

function namedIn(section: string): readonly Change[] {
  return [...section.matchAll(ITEM)].flatMap(([, kind, names = "", imports = ""]) =>
    codesIn(names).flatMap((name) =>
      codesIn(imports).map((from) => ({ kind: kind as Kind, name, from })),
    ),
  );
}

function codesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}
