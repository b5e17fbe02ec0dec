/** Shows the built site. */
import { serve } from "vitepress";
import { SITE } from "../build/index.ts";

/** Serves what is built, until the process ends. Prints its address. */
export async function serveSite(): Promise<void> {
  await serve({ root: SITE, port: 4173, host: "127.0.0.1" } as Parameters<typeof serve>[0]);
}
