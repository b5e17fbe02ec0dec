/** The rooms of each package's sources, floor by floor. */

/** A folder of the sources; its parts are folders, or files, that know each other in an order as well. */
export type Room = {
  readonly name: string;
  /** By floor, the lowest first. A `*` stands for every other folder there. Left out: one part. */
  readonly parts?: readonly (readonly string[])[];
};

export type House = {
  readonly src: string;
  /** By floor, the lowest first. Rooms of one floor do not know each other. */
  readonly floors: readonly (readonly Room[])[];
};

export const HOUSES: readonly House[] = [
  {
    src: "packages/spillway/src/",
    floors: [
      [{ name: "limits", parts: [["core"], ["algorithms"]] }],
      [{ name: "internal" }],
      [
        {
          name: "stores",
          parts: [
            ["port", "telemetry"],
            ["remote"],
            ["lending", "sharded"],
            ["regions"],
            ["index.ts"],
            ["memory"],
            ["shared", "postgres/clients"],
            ["*"],
          ],
        },
      ],
      [{ name: "limiter" }],
      [{ name: "shedding" }, { name: "index.ts" }],
      [
        {
          name: "http",
          parts: [
            ["headers", "advice"],
            ["guard", "value", "visitors", "moving"],
            ["react", "middleware/*"],
          ],
        },
        { name: "testing" },
      ],
      [{ name: "client" }, { name: "deferred" }, { name: "sockets" }],
    ],
  },
  {
    src: "packages/server/src/",
    floors: [
      [{ name: "error-codes.ts" }],
      [{ name: "rules" }],
      [{ name: "service" }],
      [
        {
          name: "transports",
          parts: [["envoy", "intake", "asking"], ["envoy-rls", "http-api"], ["proxy"]],
        },
      ],
      [{ name: "telemetry", parts: [["keys", "log", "metrics"], ["otlp"], ["index.ts"]] }],
      [
        {
          name: "process",
          parts: [
            ["command-error.ts", "console", "system-message.ts"],
            ["files", "places"],
            ["options", "reload", "stores/postgres"],
            ["program", "signals", "stores", "listen-at.ts"],
            ["admin"],
            ["workers"],
            ["serving"],
          ],
        },
      ],
      [{ name: "commands" }, { name: "index.ts" }],
    ],
  },
  {
    src: "site/",
    floors: [
      [{ name: "model" }, { name: "build" }, { name: "markdown" }],
      [{ name: "engine" }, { name: "vitepress" }],
      [{ name: ".vitepress" }, { name: "main.ts" }],
      [{ name: "test" }],
    ],
  },
];
