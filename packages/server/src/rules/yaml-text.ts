/** Composes YAML text token by token, and stops if continuing would cost too much. */
import { display, printable } from "spillway/support";
import { Composer, type CST, type Document, isScalar, Lexer, type LineCounter, Parser } from "yaml";
import type { UnplacedProblem } from "./problem.ts";

/**
 * The maximum number of words, marks, spaces and line ends. Rules of 1 MiB written by people have
 * fewer.
 */
const MOST_TOKENS = 400_000;
/** The deepest nesting of lists and maps: 16 levels of descriptors need 35. */
const MOST_NESTED = 64;

/** Receives mistakes with their offset in the text. */
export type ReportProblem = (offset: number, complaint: UnplacedProblem) => void;

/** Returns the only document of a text; undefined if reading was stopped, which is reported. */
export function composeText(
  text: string,
  lines: LineCounter,
  note: ReportProblem,
): Document | undefined {
  const composer = quietComposer(note);
  const tokens = withoutErrors(boundedTokens(text, lines), note);
  try {
    return onlyDocument(composer.compose(tokens, true, text.length), note);
  } catch (error) {
    if (!(error instanceof TextBoundError)) throw error;
    note(error.offset, error.complaint);
    return undefined;
  }
}

/** Thrown to stop reading a text. */
class TextBoundError extends Error {
  readonly offset: number;
  readonly complaint: UnplacedProblem;

  constructor(offset: number, complaint: UnplacedProblem) {
    super(complaint.found);
    this.offset = offset;
    this.complaint = complaint;
  }
}

const TOO_MANY: UnplacedProblem = {
  code: "too-many-tokens",
  found: "too many tokens",
  expected: `at most ${MOST_TOKENS}: words, marks, spaces and line ends`,
};

const TOO_DEEP: UnplacedProblem = {
  code: "too-deep",
  found: "more levels than can be read",
  expected: "descriptors nested at most 16 levels",
};

/** @throws Excess */
function* boundedTokens(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (++count > MOST_TOKENS) throw new TextBoundError(parser.offset, TOO_MANY);
    if (parser.stack.length > MOST_NESTED) throw new TextBoundError(parser.offset, TOO_DEEP);
  }
  yield* parser.end();
}

function* withoutErrors(tokens: Iterable<CST.Token>, note: ReportProblem): Generator<CST.Token> {
  for (const token of tokens) {
    if (token.type !== "error") yield token;
    else note(token.offset, syntaxError(`${token.message}: ${display(token.source)}`));
  }
}

/**
 * Creates a composer that keeps no errors. Its own errors are objects with stacks, and 1 MiB of
 * text can cause half a million.
 *
 * It has no option for that. If a new version renames the field, it keeps errors again.
 */
function quietComposer(note: ReportProblem): Composer {
  // Duplicate fields are found later, and reported in the same way as other mistakes.
  const composer = new Composer({ uniqueKeys: false });
  Reflect.set(composer, "onError", (place: TextPosition, _code: unknown, message: string) =>
    note(offsetOf(place), syntaxError(message)),
  );
  return composer;
}

type TextPosition = number | readonly number[] | { readonly offset: number };

function offsetOf(place: TextPosition): number {
  if (typeof place === "number") return place;
  return "offset" in place ? place.offset : (place[0] ?? 0);
}

function onlyDocument(documents: Iterable<Document>, note: ReportProblem): Document | undefined {
  let first: Document | undefined;
  let number = 0;
  for (const document of documents) {
    for (const { pos, message } of document.errors) note(pos[0], syntaxError(message));
    number++;
    if (first === undefined) first = document;
    else if (number > 2 || !isNothing(document.contents)) {
      note(document.range?.[0] ?? 0, SECOND);
      break;
    }
  }
  return first;
}

/** Whether the text after a `---` at the end of a file is empty. */
function isNothing(node: Document["contents"]): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

/** envoyproxy/ratelimit reads the first of several documents, and ignores the others. */
const SECOND: UnplacedProblem = {
  code: "bad-yaml",
  found: "a second document, after ---",
  expected: "one YAML document",
  hint: "Put it in a separate file",
};

function syntaxError(message: string): UnplacedProblem {
  const found = `a syntax error (${printable(message)})`;
  return { code: "bad-yaml", found, expected: "one YAML document" };
}
