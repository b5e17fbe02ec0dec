/** The frame around a gRPC message: whether it is compressed, how long it is, and its bytes. */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { GrpcError, STATUS } from "./status.ts";

const HEAD = 5;

/** Puts a message into a frame of its own. Pure. */
export function framed(length: number, write: (bytes: Buffer, offset: number) => void): Buffer {
  const frame = Buffer.allocUnsafe(HEAD + length);
  frame[0] = 0;
  frame.writeUInt32BE(length, 1);
  write(frame, HEAD);
  return frame;
}

/** The frame that a call's first part holds as a whole. Pure. @throws GrpcError where it is too long */
export function frameIn(part: Buffer, longest: number): Buffer | undefined {
  if (part.length < HEAD) return undefined;
  const due = frameLength(part, longest);
  return part.length < due ? undefined : part.subarray(0, due);
}

function frameLength(head: Buffer, longest: number): number {
  const length = head.readUInt32BE(1);
  if (length > longest) throw tooLong(length, longest);
  return HEAD + length;
}

/** What has arrived of a call's one message, where it comes in parts. */
export class MessageReader {
  readonly #longest: number;
  #parts: Buffer[] = [];
  #length = 0;
  /** The length of the whole frame, once its head is there. */
  #due: number | undefined;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The whole frame once it is there. @throws GrpcError where it is too long */
  add(part: Buffer): Buffer | undefined {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#due === undefined && this.#length >= HEAD) {
      this.#due = frameLength(this.#joined(), this.#longest);
    }
    if (this.#due === undefined || this.#length < this.#due) return undefined;
    return this.#joined().subarray(0, this.#due);
  }

  /** Parts are put together at most twice: many small ones cost no more than a large one. */
  #joined(): Buffer {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0] as Buffer;
  }
}

const inflate = promisify(gunzip);

/** The message in a frame. One that is not compressed is there at once. @throws GrpcError */
export function messageIn(
  frame: Buffer,
  { encoding, longest }: { readonly encoding: string | undefined; readonly longest: number },
): Buffer | Promise<Buffer> {
  const message = frame.subarray(HEAD);
  if (frame[0] === 0) return message;
  if (frame[0] !== 1) throw new GrpcError(STATUS.INTERNAL, "the message's frame is broken");
  if (encoding === undefined || encoding === "identity") {
    throw new GrpcError(
      STATUS.INTERNAL,
      "the message is compressed, and no grpc-encoding says how",
    );
  }
  return inflated(message, longest);
}

/** No more is unpacked than a message may have, whatever it says of itself. */
async function inflated(message: Buffer, longest: number): Promise<Buffer> {
  try {
    return await inflate(message, { maxOutputLength: longest });
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    if (isTooLong) throw tooLong(undefined, longest);
    throw new GrpcError(STATUS.INTERNAL, "the message is not gzip, as its grpc-encoding says");
  }
}

function tooLong(length: number | undefined, longest: number): GrpcError {
  const found = length === undefined ? "more" : `${length} bytes`;
  return new GrpcError(
    STATUS.RESOURCE_EXHAUSTED,
    `found ${found}, expected at most ${longest} bytes`,
  );
}
