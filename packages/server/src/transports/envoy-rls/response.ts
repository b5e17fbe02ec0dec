/** Writes a RateLimitResponse in protobuf; `proto/ratelimit.proto` has the fields. */
import protobuf from "protobufjs/minimal.js";
import type { MetadataValue, RuleMetadata } from "../../rules/index.ts";
import {
  type Code,
  type HeaderMessage,
  type ResponseMessage,
  type StatusMessage,
  UNIT_NAMES,
} from "../envoy/index.ts";

type ProtobufWriter = protobuf.Writer;

const varint = (field: number) => field << 3;
const fixed64 = (field: number) => (field << 3) | 1;
const delimited = (field: number) => (field << 3) | 2;

const CODES: { readonly [C in Code]: number } = { OK: 1, OVER_LIMIT: 2 };

/** Writes the bytes. Fields with their default value are left out. */
export function writeResponse(response: ResponseMessage): Uint8Array {
  const { overallCode, statuses, responseHeadersToAdd, dynamicMetadata } = response;
  const writer = protobuf.Writer.create();
  writer.uint32(varint(1)).uint32(CODES[overallCode]);
  for (const status of statuses) {
    writeStatus(writer.uint32(delimited(2)).fork(), status);
    writer.ldelim();
  }
  for (const header of responseHeadersToAdd) {
    writeHeader(writer.uint32(delimited(3)).fork(), header);
    writer.ldelim();
  }
  if (dynamicMetadata !== undefined) {
    writeStruct(writer.uint32(delimited(6)).fork(), dynamicMetadata);
    writer.ldelim();
  }
  return writer.finish();
}

function writeStatus(writer: ProtobufWriter, status: StatusMessage): void {
  const { code, currentLimit, limitRemaining, durationUntilReset } = status;
  writer.uint32(varint(1)).uint32(CODES[code]);
  if (currentLimit !== undefined) {
    const { requestsPerUnit, unit, name } = currentLimit;
    writer.uint32(delimited(2)).fork();
    writeNumber(writer, 1, requestsPerUnit);
    writeNumber(writer, 2, UNIT_NAMES.indexOf(unit));
    if (name !== "") writer.uint32(delimited(3)).string(name);
    writer.ldelim();
  }
  writeNumber(writer, 3, limitRemaining);
  if (durationUntilReset !== undefined) {
    writer.uint32(delimited(4)).fork();
    writeNumber(writer, 1, durationUntilReset);
    writer.ldelim();
  }
}

function writeNumber(writer: ProtobufWriter, field: 1 | 2 | 3, value: number): void {
  if (value !== 0) writer.uint32(varint(field)).uint32(value);
}

function writeHeader(writer: ProtobufWriter, { key, value }: HeaderMessage): void {
  writer.uint32(delimited(1)).string(key).uint32(delimited(2)).string(value);
}

function writeStruct(writer: ProtobufWriter, fields: RuleMetadata): void {
  for (const [name, value] of Object.entries(fields)) {
    writer.uint32(delimited(1)).fork().uint32(delimited(1)).string(name);
    writeValue(writer.uint32(delimited(2)).fork(), value);
    writer.ldelim().ldelim();
  }
}

function writeValue(writer: ProtobufWriter, value: MetadataValue): void {
  if (value === null) writer.uint32(varint(1)).uint32(0);
  else if (typeof value === "number") writer.uint32(fixed64(2)).double(value);
  else if (typeof value === "string") writer.uint32(delimited(3)).string(value);
  else if (typeof value === "boolean") writer.uint32(varint(4)).bool(value);
  else if (isList(value)) writeList(writer.uint32(delimited(6)).fork(), value);
  else writeStruct(writer.uint32(delimited(5)).fork(), value);
  if (typeof value === "object" && value !== null) writer.ldelim();
}

function writeList(writer: ProtobufWriter, values: readonly MetadataValue[]): void {
  for (const value of values) {
    writeValue(writer.uint32(delimited(1)).fork(), value);
    writer.ldelim();
  }
}

function isList(value: MetadataValue): value is readonly MetadataValue[] {
  return Array.isArray(value);
}
