/** Writes a CheckResponse of Envoy's `ext_authz`; `proto/external_auth.proto` has the fields. */
import protobuf from "protobufjs/minimal.js";
import type { Header } from "spillway/http";
import type { AskedAnswer } from "../../asking/index.ts";
import { delimited } from "../protobuf.ts";

type ProtobufWriter = protobuf.Writer;

const varint = (field: number) => field << 3;

/** The status of a refusal in gRPC's numbers, which Envoy only compares with 0. */
const PERMISSION_DENIED = 7;

/** Replaces a header that is there: that of an upstream knows less. */
const OVERWRITE_IF_EXISTS_OR_ADD = 2;

/** Writes the bytes. */
export function writeCheckResponse(answer: AskedAnswer): Uint8Array {
  const { status, headers, body } = answer;
  const writer = protobuf.Writer.create();
  writer.uint32(delimited(1)).fork();
  if (status === 200) {
    writer.ldelim().uint32(delimited(3)).fork();
    for (const header of headers) writeHeader(writer, 6, header);
    return writer.ldelim().finish();
  }
  writer.uint32(varint(1)).uint32(PERMISSION_DENIED).ldelim();
  writer.uint32(delimited(2)).fork();
  writer.uint32(delimited(1)).fork().uint32(varint(1)).uint32(status).ldelim();
  for (const header of headers) writeHeader(writer, 2, header);
  if (body !== undefined) {
    writeHeader(writer, 2, ["content-type", body.contentType]);
    writer.uint32(delimited(3)).string(body.text);
  }
  return writer.ldelim().finish();
}

function writeHeader(writer: ProtobufWriter, field: number, [key, value]: Header): void {
  writer.uint32(delimited(field)).fork().uint32(delimited(1)).fork();
  writer.uint32(delimited(1)).string(key.toLowerCase()).uint32(delimited(2)).string(value);
  writer.ldelim().uint32(varint(3)).uint32(OVERWRITE_IF_EXISTS_OR_ADD).ldelim();
}
