/**
 * Run as a process of its own: `node:http2` that reads what gRPC sends, and answers the bytes that it
 * is started with. It decodes nothing. It reports its port when it listens.
 */
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";

const answer = Buffer.from(process.argv[2] ?? "", "base64");
const server = createServer();
server.on("stream", (stream) => {
  stream.on("data", () => {});
  stream.on("end", () => {
    stream.respond(
      { ":status": 200, "content-type": "application/grpc" },
      { waitForTrailers: true },
    );
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(answer);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
