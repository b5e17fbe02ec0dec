/** Runs the modules named, one after the other, and says on stderr which of them failed, a line each. */
import { pathToFileURL } from "node:url";

// An example must not depend on a server somewhere else.
globalThis.fetch = async () => new Response("a page");

for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    console.error(`${file}: ${error}`);
    process.exitCode = 1;
  }
}
// Whatever an example has left open, as a server that listens.
process.exit();
