/** Run in a network of its own, where nftables has the rules: connects, and prints what became of it. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

const server = createServer((socket) => socket.on("error", () => {})).listen(443, "::");
await once(server, "listening");

/** Connections from an address that are open at once, after so many tries. */
async function open(tries: number, from: (index: number) => string): Promise<number> {
  const sockets: Socket[] = [];
  const outcomes = Array.from({ length: tries }, (_, index) => {
    const localAddress = from(index);
    const host = localAddress.includes(":") ? "::1" : "127.0.0.1";
    const socket = connect({ port: 443, host, localAddress });
    sockets.push(socket);
    return new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.on("error", () => resolve(false));
    });
  });
  const opened = (await Promise.all(outcomes)).filter(Boolean).length;
  for (const socket of sockets) socket.destroy();
  return opened;
}

const one = await open(90, () => "127.0.0.1");
const other = await open(5, () => "127.0.0.2");
const network = await open(90, (index) => `fd00::${(index % 8) + 1}`);
console.log(JSON.stringify({ one, other, network }));
server.close();
