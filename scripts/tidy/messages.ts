/** What library and service say to people: errors, warnings and log lines, to be read as a list. */
import { written } from "./numbers/source-lines.ts";
import { isNode, type Node, rootOf } from "./syntax.ts";
import { lineAt, type Tree } from "./tree.ts";

const SOURCES = /^packages\/(?:spillway|server)\/src\/(?!testing\/).*\.ts$/;

/** `text` is returned or kept first: what it is used for is elsewhere. */
export type MessageSort = "error" | "warning" | "log" | "text";

export type Message = {
  readonly file: string;
  readonly line: number;
  readonly sort: MessageSort;
  readonly text: string;
};

/** Calls and fields whose texts people read, by what they are. */
const CALLS: Readonly<Record<string, MessageSort>> = {
  warn: "warning",
  warnOnce: "warning",
  warningsTo: "warning",
  debug: "log",
  info: "log",
};
const FIELDS = new Set(["expected", "hint", "found", "detail", "title", "message"]);

/** Every message, file by file. Several words are a message; one alone is a name or a code. */
export function messagesIn(tree: Tree): Message[] {
  return written(tree, SOURCES).flatMap(([file, text]) => {
    const root = rootOf(file, text);
    if (root === undefined) return [];
    return [...messages(root, { text, sort: "text" })]
      .filter((message) => isProse(message.text))
      .map(({ start, ...message }) => ({ file, line: lineAt(text, start), ...message }));
  });
}

/** What `npm run tidy -- --messages` prints. */
export function listMessages(tree: Tree): string {
  return messagesIn(tree)
    .map(({ file, line, sort, text }) => `${file}:${line}  ${sort}  ${text}`)
    .join("\n");
}

type Surroundings = { readonly text: string; readonly sort: MessageSort };
type Found = { readonly start: number; readonly sort: MessageSort; readonly text: string };

function* messages(node: Node, { text, sort }: Surroundings): Generator<Found> {
  if (node.type === "TSLiteralType") return;
  const found = textOf(node, text);
  if (found !== undefined) yield { start: node.start, sort, text: found };
  const here = sortOf(node) ?? sort;
  for (const [field, value] of Object.entries(node)) {
    if (field === "source") continue;
    for (const child of [value].flat().filter(isNode)) yield* messages(child, { text, sort: here });
  }
}

function textOf(node: Node, text: string): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "TemplateLiteral") return text.slice(node.start + 1, Number(node.end) - 1);
  return undefined;
}

function sortOf({ type, callee, key }: Node): MessageSort | undefined {
  const called = isNode(callee) ? nameOf(isNode(callee.property) ? callee.property : callee) : "";
  if (type === "NewExpression") return /(?:Error|Exception)$/.test(called) ? "error" : undefined;
  if (type === "CallExpression") return CALLS[called];
  return type === "Property" && isNode(key) && FIELDS.has(nameOf(key)) ? "error" : undefined;
}

function nameOf({ name }: Node): string {
  return typeof name === "string" ? name : "";
}

function isProse(text: string): boolean {
  return (
    /[a-z]{2,}[,:;]? (?:[a-z]|\$\{)/i.test(text) &&
    !/^\s*(?:select|insert|update|delete|create|alter|set|begin|with) /i.test(text)
  );
}
