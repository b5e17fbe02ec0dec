/** Shows the built site. VitePress's own server listens on all interfaces, whatever its options. */
import { serveSite } from "../build/index.ts";

/** Serves what is built on the loopback, until the process ends. Prints its address. */
export async function showSite(): Promise<void> {
  const { base } = await serveSite({ port: 4173, prefix: "/", maxAge: 0 });
  console.log(`The site is at ${base}`);
}
