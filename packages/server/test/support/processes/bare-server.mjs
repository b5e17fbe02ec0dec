// The least that a server in Node can be: it answers everything with the same bytes.
import { createServer } from "node:http";

const body = Buffer.alloc(Number(process.argv[2]), "x");
const server = createServer((request, response) => {
  request.resume();
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}. `);
});
process.on("SIGTERM", () => process.exit());
