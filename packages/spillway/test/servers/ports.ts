import { createServer, type Server } from "node:net";

export const LOOPBACK = "127.0.0.1";

/** What a cluster's node adds to its port, for the bus over which nodes talk to each other. */
const BUS = 10_000;
const PORTS = 65_536;

/**
 * A port that is free, and whose bus would be too.
 *
 * Only a moment ago: whoever takes it must be ready to hear that somebody else was faster.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await portThatOpens(0);
    if (port === undefined || port + BUS >= PORTS) continue;
    if ((await portThatOpens(port + BUS)) !== undefined) return port;
  }
}

/** The port at which somebody could listen now: any for 0; undefined if this one is taken. */
async function portThatOpens(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    return await listen(server, port);
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}

/** Listens on a port of the loopback, any for 0, and tells which. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
      else reject(new Error(`Expected a port, and the server listens on ${address}.`));
    });
  });
}
