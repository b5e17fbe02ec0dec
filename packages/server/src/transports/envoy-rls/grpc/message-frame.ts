/** The frame around a gRPC message: whether it is compressed, how long it is, and its bytes. */
import { GrpcError, STATUS } from "./status.ts";

/** The bytes before a message. */
export const HEAD = 5;

/** Puts a message into a frame of its own. Pure. */
export function framed(length: number, write: (bytes: Buffer, offset: number) => void): Buffer {
  const frame = Buffer.allocUnsafe(HEAD + length);
  frame[0] = 0;
  frame.writeUInt32BE(length, 1);
  write(frame, HEAD);
  return frame;
}

/** The frame that bytes begin with, once it is whole. Pure. @throws GrpcError where it is too long */
export function frameIn(bytes: Buffer, longest: number): Buffer | undefined {
  if (bytes.length < HEAD) return undefined;
  const length = bytes.readUInt32BE(1);
  if (length > longest) throw tooLong(`${length} bytes`, longest);
  return bytes.length < HEAD + length ? undefined : bytes.subarray(0, HEAD + length);
}

/** Whether a frame's message is compressed, by gzip. Pure. @throws GrpcError where that can't be known */
export function isPacked(frame: Buffer, encoding: string | undefined): boolean {
  if (frame[0] === 0) return false;
  if (frame[0] !== 1) throw new GrpcError(STATUS.INTERNAL, "the message's frame is broken");
  if (encoding !== undefined && encoding !== "identity") return true;
  throw new GrpcError(STATUS.INTERNAL, "the message is compressed, and no grpc-encoding says how");
}

/** The refusal of a message that has more bytes than it may. */
export function tooLong(found: string, longest: number): GrpcError {
  return new GrpcError(
    STATUS.RESOURCE_EXHAUSTED,
    `found ${found}, expected at most ${longest} bytes`,
  );
}
