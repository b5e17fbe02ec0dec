/** Who connects. Default: whoever servers let in without a name. */
export type User = { readonly username?: string; readonly password?: string };

/** Where a client connects to; ports are of this machine. */
export type Target =
  | (User & {
      readonly sort: "server";
      readonly port: number;
      /** Milliseconds of silence after which a client gives a connection up. Default: never. */
      readonly silence?: number;
    })
  | (User & { readonly sort: "cluster"; readonly ports: readonly number[] })
  | { readonly sort: "sentinel"; readonly ports: readonly number[]; readonly name: string };
