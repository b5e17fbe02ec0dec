/** Reads fields of protobuf messages, as far as several messages need it. */
import { isUtf8 } from "node:buffer";
import type protobuf from "protobufjs/minimal.js";

/** Combines a field's number with the wire type of a text or a message. Pure. */
export const delimited = (field: number) => (field << 3) | 2;

/** Functions that read a field, by its tag. */
export type FieldReaders = { readonly [tag: number]: (reader: protobuf.Reader) => void };

/** Reads a message inside another one, which must be passed on whole. @throws RangeError */
export function readInner(reader: protobuf.Reader, fields: FieldReaders): void {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError("a field is longer than the request");
  readFields(reader, fields, end);
  if (reader.pos !== end) throw new RangeError("a field is longer than its message");
}

/** Reads the fields of a message. Unknown ones, or those of another wire type, are skipped. */
export function readFields(
  reader: protobuf.Reader,
  fields: FieldReaders,
  end: number = reader.len,
): void {
  while (reader.pos < end) {
    const tag = reader.uint32();
    const read = fields[tag];
    if (read === undefined) reader.skipType(tag & 7);
    else read(reader);
  }
}

/** Reads a text. @throws RangeError if it is not UTF-8 */
export function readText(reader: protobuf.Reader): string {
  const bytes = reader.bytes();
  if (!isUtf8(bytes)) throw new RangeError("a text is not UTF-8");
  return Buffer.from(bytes).toString("utf8");
}
