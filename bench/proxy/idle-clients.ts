/**
 * Run as a process of its own: opens connections, and sends a request on each. On a message it sends
 * one more on each, and reports how many of them are open.
 */
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

const [kind = "", port = "", number = ""] = process.argv.slice(2);
const place = { port: Number(port), host: "127.0.0.1" };
const GET = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";

/** Sends a request, and waits for its answer. */
type Ask = () => Promise<void>;

/** How many connections are opened at once. */
const ABREAST = 50;
let open = 0;

function overText(socket: Socket): Ask {
  open++;
  socket.on("error", () => {});
  socket.once("close", () => open--);
  return () => {
    socket.write(GET);
    return new Promise<void>((resolve) => socket.once("data", () => resolve()));
  };
}

function overHttp2(): Ask {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  open++;
  session.on("error", () => {});
  session.once("close", () => open--);
  return () =>
    new Promise<void>((resolve) => {
      const stream = session.request({ ":authority": "a.example" });
      stream.resume().once("close", resolve);
    });
}

function connection(): Ask {
  if (kind === "HTTP/2") return overHttp2();
  if (kind === "HTTP") return overText(connect(place));
  return overText(connectTls({ ...place, rejectUnauthorized: false }));
}

const all: Ask[] = [];
async function openSome(): Promise<void> {
  while (all.length < Number(number)) {
    const ask = connection();
    all.push(ask);
    await ask();
  }
}

await Promise.all(Array.from({ length: ABREAST }, openSome));
process.send?.(open);
process.on("message", async () => {
  const left = all.values();
  const askSome = async () => {
    for (const ask of left) await ask();
  };
  await Promise.all(Array.from({ length: ABREAST }, askSome));
  process.send?.(open);
});
process.on("disconnect", () => process.exit());
