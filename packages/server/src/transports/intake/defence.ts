/** An action by which a transport keeps its bounds, reported to the operator. */
export type Defence =
  /** A connection above the maximum was closed on arrival. */
  | "connection-refused"
  /** A connection was closed because its handshake, of TLS or HTTP/2, took too long. */
  | "handshake-cut"
  /** The oldest undecided message was refused to make room for others. */
  | "message-dropped"
  /** A connection to the metrics port, above its maximum, was closed on arrival. */
  | "metrics-connection-refused"
  /** A client sent more pipelined requests than allowed. */
  | "pipeline-cut"
  /** A client read nothing of its answer for too long, or while its memory was needed. */
  | "reader-cut"
  /** A request on a connection of HTTP/2 was refused, because too many were under way. */
  | "stream-refused";
