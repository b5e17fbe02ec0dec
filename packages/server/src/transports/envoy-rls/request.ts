/** Reads a RateLimitRequest in protobuf; `proto/ratelimit.proto` has the fields. */
import { isUtf8 } from "node:buffer";
import protobuf from "protobufjs/minimal.js";
import { RequestError } from "../../service/index.ts";
import {
  type DescriptorMessage,
  type EntryMessage,
  type LimitMessage,
  LONGEST_TEXT,
  MOST_DESCRIPTORS,
  MOST_ENTRIES,
  type RequestMessage,
  UNIT_NAMES,
  type UnitName,
} from "../envoy/index.ts";

type ProtobufReader = protobuf.Reader;

/** Combines a field's number and wire type into the tag before its value. Pure. */
const varint = (field: number) => field << 3;
const delimited = (field: number) => (field << 3) | 2;

/**
 * Reads a message. Fields that are unknown, or of another wire type, are skipped. A message over
 * the bounds is refused as soon as a bound is exceeded, before the rest is read.
 *
 * @throws RequestError if it exceeds the bounds; Error if the bytes are not a message.
 */
export function readRequest(bytes: Buffer): RequestMessage {
  const reader = protobuf.Reader.create(bytes);
  const descriptors: DescriptorMessage[] = [];
  let domain = NOWHERE;
  let hitsAddend = 0;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === delimited(1)) domain = passed(reader, tag);
    else if (tag === delimited(2)) {
      if (descriptors.length === MOST_DESCRIPTORS) throw tooMany("descriptors", MOST_DESCRIPTORS);
      descriptors.push(descriptorOf(reader, descriptors.length));
    } else if (tag === varint(3)) hitsAddend = reader.uint32();
    else reader.skipType(tag & 7);
  }
  return { domain: readAt(reader, domain, textOf) ?? "", descriptors, hitsAddend };
}

function descriptorOf(reader: ProtobufReader, index: number): DescriptorMessage {
  const end = endOf(reader);
  const entries: EntryMessage[] = [];
  let limit: LimitMessage | undefined;
  let hitsAddend = NOWHERE;
  let isNegativeHits = false;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === delimited(1)) {
      if (entries.length === MOST_ENTRIES)
        throw tooMany(`entries in descriptors[${index}]`, MOST_ENTRIES);
      entries.push(entryOf(reader));
    } else if (tag === delimited(2)) limit = limitOf(reader);
    else if (tag === delimited(3)) hitsAddend = passed(reader, tag);
    else if (tag === varint(4)) isNegativeHits = reader.bool();
    else reader.skipType(tag & 7);
  }
  checkEnd(reader, end);
  return { entries, limit, hitsAddend: readAt(reader, hitsAddend, wrappedOf), isNegativeHits };
}

function entryOf(reader: ProtobufReader): EntryMessage {
  const end = endOf(reader);
  let key = NOWHERE;
  let value = NOWHERE;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === delimited(1)) key = passed(reader, tag);
    else if (tag === delimited(2)) value = passed(reader, tag);
    else reader.skipType(tag & 7);
  }
  checkEnd(reader, end);
  return { key: readAt(reader, key, textOf) ?? "", value: readAt(reader, value, textOf) ?? "" };
}

function limitOf(reader: ProtobufReader): LimitMessage {
  const end = endOf(reader);
  let requestsPerUnit = 0;
  let unit: UnitName = "UNKNOWN";
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === varint(1)) requestsPerUnit = reader.uint32();
    else if (tag === varint(2)) unit = UNIT_NAMES[reader.uint32()] ?? "UNKNOWN";
    else reader.skipType(tag & 7);
  }
  checkEnd(reader, end);
  return { requestsPerUnit, unit };
}

/** Reads a UInt64Value. */
function wrappedOf(reader: ProtobufReader): number {
  const end = endOf(reader);
  let value = NOWHERE;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === varint(1)) value = passed(reader, tag);
    else reader.skipType(tag & 7);
  }
  checkEnd(reader, end);
  return readAt(reader, value, (reader) => Number(reader.uint64())) ?? 0;
}

const NOWHERE = -1;

/**
 * Skips a field that may occur once, and returns where its last occurrence begins. Only that one is
 * read.
 */
function passed(reader: ProtobufReader, tag: number): number {
  const place = reader.pos;
  reader.skipType(tag & 7);
  return place;
}

/** Reads what is at a position; undefined if there is none. */
function readAt<T>(
  reader: ProtobufReader,
  place: number,
  read: (reader: ProtobufReader) => T,
): T | undefined {
  if (place === NOWHERE) return undefined;
  const end = reader.pos;
  reader.pos = place;
  const value = read(reader);
  reader.pos = end;
  return value;
}

/** Returns where a message or a text inside another message ends. */
function endOf(reader: ProtobufReader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError("a field is longer than the request");
  return end;
}

function checkEnd(reader: ProtobufReader, end: number): void {
  if (reader.pos !== end) throw new RangeError("a field is longer than its message");
}

const REPLACED = "\ufffd";

/** Malformed UTF-8 is refused: replacement characters would make two keys equal. */
function textOf(reader: ProtobufReader): string {
  const end = endOf(reader);
  const length = end - reader.pos;
  if (length === 0) return "";
  if (length > LONGEST_TEXT) throw tooLong(length);
  const bytes = reader.buf as Buffer;
  const text = bytes.toString("utf8", reader.pos, end);
  if (text.includes(REPLACED) && !isUtf8(bytes.subarray(reader.pos, end))) {
    throw new RangeError("a text is not UTF-8");
  }
  reader.pos = end;
  return text;
}

function tooMany(what: string, most: number): RequestError {
  return badField(`Found over ${most} ${what}, expected ${most} or fewer of them`);
}

function tooLong(length: number): RequestError {
  return badField(`Found a text of ${length} bytes, expected ${LONGEST_TEXT} or fewer of them`);
}

function badField(detail: string): RequestError {
  return new RequestError({ status: 400, code: "bad-field", detail });
}
