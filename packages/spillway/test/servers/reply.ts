/** What a server answers, in version 2 of the protocol, which every server speaks. */
export type Reply = string | number | null | ReplyError | readonly Reply[];

/** An answer that is an error, its code first: "ERR …", "MOVED …", "NOAUTH …". */
export class ReplyError extends Error {
  override readonly name = "ReplyError";
}

/** A reply, and where in the bytes it ends. */
type Read = { readonly reply: Reply; readonly end: number };

const LINE_END = "\r\n";

/** The command as a server wants it: an array of strings. */
export function encode(command: readonly (string | number)[]): string {
  const parts = command.map(String).map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`);
  return `*${parts.length}\r\n${parts.join("")}`;
}

/** The first so many replies in the bytes; undefined while they aren't complete. */
export function decode(bytes: Buffer, count: number): Reply[] | undefined {
  return readMany({ bytes, start: 0, count })?.replies;
}

/** Where the first command in the bytes ends; undefined while it isn't complete. */
export function endOfCommand(bytes: Buffer): number | undefined {
  return readOne(bytes, 0)?.end;
}

type Many = { readonly bytes: Buffer; readonly start: number; readonly count: number };

function readMany({ bytes, start, count }: Many) {
  const replies: Reply[] = [];
  let end = start;
  while (replies.length < count) {
    const read = readOne(bytes, end);
    if (read === undefined) return undefined;
    replies.push(read.reply);
    end = read.end;
  }
  return { replies, end };
}

function readOne(bytes: Buffer, start: number): Read | undefined {
  const lineEnd = bytes.indexOf(LINE_END, start);
  if (lineEnd < 0) return undefined;
  const kind = String.fromCharCode(bytes[start] ?? 0);
  const line = bytes.toString("utf8", start + 1, lineEnd);
  const end = lineEnd + LINE_END.length;
  if (kind === "+") return { reply: line, end };
  if (kind === "-") return { reply: new ReplyError(line), end };
  if (kind === ":") return { reply: Number(line), end };
  if (kind === "$") return readString({ bytes, start: end, count: Number(line) });
  if (kind === "*") return readArray({ bytes, start: end, count: Number(line) });
  throw new Error(`Expected a reply, and found ${JSON.stringify(kind + line)}.`);
}

function readString({ bytes, start, count }: Many): Read | undefined {
  if (count < 0) return { reply: null, end: start };
  const end = start + count + LINE_END.length;
  if (bytes.length < end) return undefined;
  return { reply: bytes.toString("utf8", start, start + count), end };
}

function readArray(many: Many): Read | undefined {
  if (many.count < 0) return { reply: null, end: many.start };
  const read = readMany(many);
  return read && { reply: read.replies, end: read.end };
}
