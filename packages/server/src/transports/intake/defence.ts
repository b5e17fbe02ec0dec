/** A transport's action to keep to its bounds, for the operator to know of. */
export type Defence =
  /** A connection beyond the most was closed as it came. */
  | "connection-refused"
  /** A connection was closed whose handshake, of TLS or of HTTP/2, took too long. */
  | "handshake-cut"
  /** The oldest of the messages that are not decided was refused, to make room for others. */
  | "message-dropped"
  /** A connection to the port of metrics, beyond the most that it has, was closed as it came. */
  | "metrics-connection-refused"
  /** A client sent a pipelined request beyond the most. */
  | "pipeline-cut"
  /** A client accepted nothing of its answer for too long, or while others needed the room. */
  | "reader-cut";
