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
  /** The most pairs of rooms of which one imports the other. Lower it when there are fewer. */
  readonly arrows: number;
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
            ["postgres/clients"],
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
    arrows: 36,
  },
  {
    src: "packages/server/src/",
    floors: [
      [{ name: "error-codes.ts" }],
      [{ name: "request-error.ts" }],
      [{ name: "rules" }],
      [{ name: "service" }],
      [{ name: "envoy" }],
      [{ name: "transports", parts: [["intake"], ["*"]] }],
      [{ name: "telemetry" }],
      [{ name: "commands" }],
      [{ name: "index.ts" }],
    ],
    arrows: 25,
  },
];
