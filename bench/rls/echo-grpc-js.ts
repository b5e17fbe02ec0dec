/**
 * Run as a process of its own: @grpc/grpc-js, with a method that answers the bytes that the process
 * is started with. It decodes nothing. It reports its port when it listens.
 */
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { METHOD } from "./question.ts";

const HEAD = 5;
const answer = Buffer.from(process.argv[2] ?? "", "base64").subarray(HEAD);
const asIs = (bytes: Buffer) => bytes;
const server = new Server();
server.addService(
  {
    ShouldRateLimit: {
      path: METHOD,
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    },
  },
  {
    ShouldRateLimit: (_call: unknown, reply: (error: null, bytes: Buffer) => void) =>
      reply(null, answer),
  },
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_error, port) => {
  process.send?.(port);
});
process.on("disconnect", () => process.exit());
