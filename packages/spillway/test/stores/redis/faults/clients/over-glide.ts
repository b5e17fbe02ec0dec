import { GlideClient, GlideClusterClient, Logger } from "@valkey/valkey-glide";
import type { Opened } from "../../../faults/clients/opened.ts";
import { addresses, opened } from "./over.ts";
import type { Target } from "./target.ts";

// It would tell of every script that a server does not know yet.
Logger.init("off");

/** Milliseconds that glide itself waits for an answer: the store's deadline comes first. */
const PATIENT = { requestTimeout: 10_000 };

/** It gives a connection up after two seconds, and tries the first one once: a busy machine may need longer. */
const TRIES = 30;

export async function overGlide(target: Target): Promise<Opened> {
  const client = await connected(target);
  return opened(client, { close: () => client.close() });
}

async function connected(target: Target): Promise<GlideClient | GlideClusterClient> {
  for (let tries = 1; ; tries++) {
    try {
      return await glide(target);
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}

function glide(target: Target): Promise<GlideClient | GlideClusterClient> {
  if (target.sort === "sentinel") throw new Error("valkey-glide does not ask sentinels");
  const { username, password = "" } = target;
  const named = username === undefined ? {} : { credentials: { username, password } };
  const settings = { ...named, ...PATIENT };
  if (target.sort === "server") {
    return GlideClient.createClient({ addresses: addresses([target.port]), ...settings });
  }
  return GlideClusterClient.createClient({ addresses: addresses(target.ports), ...settings });
}
