/** Limits of connections, upgrades and messages, and streams at a pace. */

export { type Close, closeOf } from "./close-of.ts";
export { limitConnections } from "./connections.ts";
export type {
  Connection,
  ConnectionRoute,
  EventSource,
  LooseConnection,
  UpgradeRoute,
} from "./contracts.ts";
export {
  limitMessages,
  type MessageEvent,
  type MessageOptions,
  type MessageSocket,
} from "./messages.ts";
export { paced } from "./paced.ts";
export type { PacedOptions } from "./paced-options.ts";
export type { WebStream } from "./sources.ts";
export { limitUpgrades } from "./upgrades.ts";
