/**
 * What `npm run embed` makes of the Lua files of the Redis store before a server is sent them: the same program
 * in half of the bytes. Lines stay lines, so that an error's line number leads to its statement.
 */

const TOKEN =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\d[\w.]*|\.{2,3}|[<>=~]=|\n|[^\s]/g;
const KEYWORDS = new Set(
  `and break do else elseif end false for function if in local nil not or repeat return then true until
  while`.split(/\s+/),
);
const OPENS = new Set(["function", "do", "if", "repeat", "{", "(", "["]);
const CLOSES = new Set(["end", "until", "}", ")", "]"]);
/** A part of the program; a name is a local variable's where it is declared, and no field of a table. */
type Token = { readonly text: string; readonly isLocal: boolean };

/** The tokens of a program without comments, ends of lines among them. Pure. */
export function tokensOf(source: string): readonly Token[] {
  const texts = source.match(TOKEN) ?? [];
  const declared = declaredIn(texts);
  const open: string[] = [];
  return texts.map((text, at) => {
    if (OPENS.has(text)) open.push(text);
    else if (CLOSES.has(text)) open.pop();
    const isField = texts[at - 1] === "." || texts[at - 1] === ":";
    const isKey = open.at(-1) === "{" && texts[at + 1] === "=";
    return { text, isLocal: declared.has(text) && !isField && !isKey };
  });
}

function declaredIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((_, at) => declaredAt(texts, at)));
}

/** The names that follow `local`, `for`, or a function's bracket, up to the first token that is none. */
function declaredAt(texts: readonly string[], at: number): readonly string[] {
  const declared: string[] = [];
  let next = at + 1;
  if (texts[at] === "function") next = texts.indexOf("(", at) + 1;
  else if (texts[at] !== "local" && texts[at] !== "for") return declared;
  else if (texts[next] === "function") next++;
  for (; isName(texts[next]); next += 2) {
    declared.push(texts[next] as string);
    if (texts[next + 1] !== ",") break;
  }
  return declared;
}

function isName(text = ""): boolean {
  return /^[A-Za-z_]/.test(text) && !KEYWORDS.has(text);
}

/**
 * A program with short names for its local variables, and no more space than is needed. Pure.
 *
 * Every name has one other name, whatever its scope, so texts that are included twice stay alike, which compresses
 * well. Two names have the same short one only if no variables of theirs are ever in scope at once.
 */
export function minified(source: string): string {
  const tokens = tokensOf(source);
  const names = shortNames(tokens);
  let text = "";
  for (const token of tokens) {
    const next = token.isLocal ? (names.get(token.text) as string) : token.text;
    const isSplit = /\w$/.test(text) && /^\w/.test(next);
    const isDotted = /\d$/.test(text) && next.startsWith(".");
    text += isSplit || isDotted ? ` ${next}` : next;
  }
  return text;
}

/** The names that are most used are the shortest. */
function shortNames(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const uses = new Map<string, number>();
  for (const { text, isLocal } of tokens) if (isLocal) uses.set(text, (uses.get(text) ?? 0) + 1);
  const byUse = [...uses].sort(
    ([one, first], [other, second]) => second - first || (one < other ? -1 : 1),
  );
  const taken = new Set(tokens.filter(({ isLocal }) => !isLocal).map(({ text }) => text));
  const free = [...freeNames(taken)];
  const rivals = rivalsIn(tokens.map(({ text }) => text));
  const short = new Map<string, string>();
  for (const [name] of byUse) {
    const used = new Set([...(rivals.get(name) ?? [])].map((rival) => short.get(rival)));
    short.set(name, free.find((one) => !used.has(one)) as string);
  }
  return short;
}

/** For each name, the names of variables that are in scope together with a variable of it. Pure. */
function rivalsIn(texts: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const rivals = new Map<string, Set<string>>();
  const scopes: Scope[] = [{ names: new Set(), isOfFor: false }];
  for (const [at, text] of texts.entries()) {
    changeScope(text, scopes);
    for (const name of declaredAt(texts, at)) {
      for (const { names } of scopes) for (const one of names) meet(rivals, one, name);
      scopes.at(-1)?.names.add(name);
    }
  }
  return rivals;
}

/** The variables of a block. The `do` of a `for` opens none, because its variables are there before it. */
type Scope = { readonly names: Set<string>; isOfFor: boolean };

const OPENS_SCOPE = new Set(["function", "for", "do", "then", "else"]);
const CLOSES_SCOPE = new Set(["end", "else", "elseif"]);

function changeScope(text: string, scopes: Scope[]): void {
  const last = scopes.at(-1) as Scope;
  if (text === "repeat") throw new Error("the scope of a `repeat` is not known here");
  if (CLOSES_SCOPE.has(text)) scopes.pop();
  if (text === "do" && last.isOfFor) last.isOfFor = false;
  else if (OPENS_SCOPE.has(text)) scopes.push({ names: new Set(), isOfFor: text === "for" });
}

function meet(rivals: Map<string, Set<string>>, one: string, other: string): void {
  if (one === other) return;
  rivals.set(one, (rivals.get(one) ?? new Set()).add(other));
  rivals.set(other, (rivals.get(other) ?? new Set()).add(one));
}

/** Names of one and of two letters. @param taken What else the program says. */
function* freeNames(taken: ReadonlySet<string>): Generator<string> {
  const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  for (const first of ["", ...letters]) {
    for (const second of letters) {
      const name = first + second;
      if (!KEYWORDS.has(name) && !taken.has(name)) yield name;
    }
  }
}
