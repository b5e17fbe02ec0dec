/** A server in a process of its own, that a test can kill: it answers each request by its number. */
import { createServer } from "node:http";

let answered = 0;
const server = createServer((request, response) => {
  request.resume();
  const text = JSON.stringify({ remaining: answered++ });
  response.writeHead(200, { "content-length": text.length }).end(text);
});
server.keepAliveTimeout = 0;
server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => {
  const { port } = server.address();
  process.stdout.write(`listening on ${port}\n`);
});
