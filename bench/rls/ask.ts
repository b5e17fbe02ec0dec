/** One call of gRPC, by hand, and the bytes of its answer. */
import { connect } from "node:http2";
import { buffer } from "node:stream/consumers";
import { GRPC, METHOD } from "./question.ts";

/** The whole frame that is answered. */
export async function askOnce(port: number, body: Buffer = GRPC): Promise<Buffer> {
  const session = connect(`http://127.0.0.1:${port}`);
  // The call itself fails where the connection does; after the answer, its end is nobody's error.
  session.on("error", () => {});
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": METHOD,
      "content-type": "application/grpc",
      te: "trailers",
    });
    stream.end(body);
    return await buffer(stream);
  } finally {
    session.close();
  }
}
