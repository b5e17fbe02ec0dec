/** Limits connections, upgrades and messages, and slows streams to a rate. */

export { limitConnections } from "./arrivals/connections.ts";
export { limitUpgrades } from "./arrivals/upgrades.ts";
export type { Connection, ConnectionRoute, UpgradeRoute } from "./contracts.ts";
export { closeOf } from "./messages/close-of.ts";
export { limitMessages, type MessageEvent, type MessageOptions } from "./messages/messages.ts";
export { paced } from "./streams/paced.ts";
export type { PacedOptions } from "./streams/paced-options.ts";
