/** The frame around a gRPC message: a flag for compression, the length, and the bytes. */
import { GrpcError, STATUS } from "./status.ts";

/** The number of bytes before a message. */
export const HEAD = 5;

/** Writes a message into a frame of its own. Pure. */
export function framed(length: number, write: (bytes: Buffer, offset: number) => void): Buffer {
  const frame = Buffer.allocUnsafe(HEAD + length);
  frame[0] = 0;
  frame.writeUInt32BE(length, 1);
  write(frame, HEAD);
  return frame;
}

/**
 * Returns the frame at the start of some bytes; undefined until it is whole. Pure. @throws
 * GrpcError if it is too long
 */
export function frameIn(bytes: Buffer, longest: number): Buffer | undefined {
  if (bytes.length < HEAD) return undefined;
  const length = bytes.readUInt32BE(1);
  if (length > longest) throw tooLong(`${length} bytes`, longest);
  return bytes.length < HEAD + length ? undefined : bytes.subarray(0, HEAD + length);
}

/** Whether the message of a frame is gzip. Pure. @throws GrpcError if that is unknown */
export function isPacked(frame: Buffer, encoding: string | undefined): boolean {
  if (frame[0] === 0) return false;
  if (frame[0] !== 1) throw new GrpcError(STATUS.INTERNAL, "the message's frame is invalid");
  if (encoding !== undefined && encoding !== "identity") return true;
  throw new GrpcError(
    STATUS.INTERNAL,
    "the message is compressed without grpc-encoding, expected grpc-encoding: gzip",
  );
}

/** Creates the error for a message that is too long. */
export function tooLong(found: string, longest: number): GrpcError {
  return new GrpcError(
    STATUS.RESOURCE_EXHAUSTED,
    `found ${found}, expected at most ${longest} bytes`,
  );
}
