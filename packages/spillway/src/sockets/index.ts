/** Limits of connections, upgrades and messages, and streams at a pace. */
export { limitConnections } from "./connections.ts";
export type {
  Connection,
  ConnectionRoute,
  EventSource,
  LooseConnection,
  UpgradeRoute,
} from "./contracts.ts";
export { limitUpgrades } from "./upgrades.ts";
