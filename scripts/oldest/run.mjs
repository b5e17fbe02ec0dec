/** Runs the modules named, one after the other, and says on stderr which of them failed, a line each. */
import { pathToFileURL } from "node:url";

// What pages tell their readers to set.
for (const name of ["VISITOR_SECRET", "CAPTCHA_SECRET", "OLD_VISITOR_SECRET"]) {
  process.env[name] ??= `${name} 0123456789abcdef0123456789abcdef`;
}
process.env.SPILLWAY_STORE_TOKEN ??= "a-token";

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
