/** Reads a CheckRequest of Envoy's `ext_authz`; `proto/external_auth.proto` has the fields. */
import protobuf from "protobufjs/minimal.js";
import { delimited, readFields, readInner, readText } from "../protobuf.ts";

type ProtobufReader = protobuf.Reader;

/** The attributes that are used. Texts are empty if they are missing. */
export type CheckAttributes = {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly host: string;
  /** The address of the connection's peer. */
  readonly source: string;
  /** By name: each value that was sent, or all of them joined by Envoy. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Settings of the route in Envoy. */
  readonly extensions: ReadonlyMap<string, string>;
};

/** Attributes while they are read. */
type Draft = {
  -readonly [K in "method" | "path" | "host" | "source"]: string;
} & { readonly headers: Map<string, string[]>; readonly extensions: Map<string, string> };

/** Reads a message. @throws Error if the bytes are not one */
export function readCheckRequest(bytes: Buffer): CheckAttributes {
  const draft: Draft = {
    method: "",
    path: "",
    host: "",
    source: "",
    headers: new Map(),
    extensions: new Map(),
  };
  const inner = (fields: Parameters<typeof readInner>[1]) => (reader: ProtobufReader) =>
    readInner(reader, fields);
  const socket = { [delimited(2)]: text(draft, "source") };
  const peer = { [delimited(1)]: inner({ [delimited(1)]: inner(socket) }) };
  const request = { [delimited(2)]: inner(httpOf(draft)) };
  const extension = (reader: ProtobufReader) => {
    const { key, value } = readPair(reader);
    draft.extensions.set(key, value);
  };
  const attributes = {
    [delimited(1)]: inner(peer),
    [delimited(4)]: inner(request),
    [delimited(10)]: extension,
  };
  readFields(protobuf.Reader.create(bytes), { [delimited(1)]: inner(attributes) });
  return draft;
}

/** The fields of an HttpRequest. */
function httpOf(draft: Draft) {
  const header = (reader: ProtobufReader) => {
    const { key, value } = readPair(reader);
    const name = key.toLowerCase();
    const values = draft.headers.get(name);
    if (values === undefined) draft.headers.set(name, [value]);
    else values.push(value);
  };
  return {
    [delimited(2)]: text(draft, "method"),
    [delimited(3)]: header,
    [delimited(4)]: text(draft, "path"),
    [delimited(5)]: text(draft, "host"),
    [delimited(13)]: (reader: ProtobufReader) => readInner(reader, { [delimited(1)]: header }),
  };
}

function text(draft: Draft, field: "method" | "path" | "host" | "source") {
  return (reader: ProtobufReader) => {
    draft[field] = latin1(readText(reader));
  };
}

/** Reads an entry of a map, or a header, whose raw value is its bytes. */
function readPair(reader: ProtobufReader): { readonly key: string; readonly value: string } {
  const pair = { key: "", value: "" };
  readInner(reader, {
    [delimited(1)]: (inner) => {
      pair.key = readText(inner);
    },
    [delimited(2)]: (inner) => {
      pair.value = latin1(readText(inner));
    },
    [delimited(3)]: (inner) => {
      pair.value = Buffer.from(inner.bytes()).toString("latin1");
    },
  });
  return pair;
}

/** Returns the bytes of a text as characters, as servers of HTTP read them. */
function latin1(read: string): string {
  return Buffer.from(read, "utf8").toString("latin1");
}
