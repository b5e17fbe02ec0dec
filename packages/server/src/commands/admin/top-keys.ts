import { Option } from "commander";
import { counted } from "../../process/console/index.ts";
import type { TopKeysReport } from "../../service/index.ts";
import type { AdminCommand } from "./admin-command.ts";
import { countOption } from "./admin-options.ts";
import { columns, shownTime } from "./columns.ts";

type TopKeysOptions = { readonly count: number; readonly limit?: string };

/** `spillway top-keys`: shows the keys that are asked for most. */
export const topKeys: AdminCommand = {
  name: "top-keys",
  about: "show the keys with the most requests in the last one to two minutes",
  options: [new Option("--limit <name>", "one limit, such as shop/user"), countOption()],
  call: ({ count, limit }: TopKeysOptions) => {
    const query = new URLSearchParams({ count: String(count), ...(limit && { limit }) });
    return { path: `top-keys?${query}` };
  },
  show: showKeys,
};

function showKeys({ period, asks, keys, missing }: TopKeysReport): readonly string[] {
  const without = missing === undefined ? "" : `, without ${counted(missing, "worker")}`;
  const heading = `${counted(asks, "request")} in the last ${shownTime(period)}${without}`;
  if (keys.length === 0) return [heading];
  const isExact = keys.every(({ error }) => error === 0);
  const rows = keys.map(({ limit, key, asks, error, refusals }) => [
    limit,
    key,
    String(asks),
    String(refusals),
    ...(isExact ? [] : [String(error)]),
  ]);
  const names = ["limit", "key", "requests", "refused", ...(isExact ? [] : ["too high by"])];
  return [heading, ...columns([names, ...rows])];
}
