/**
 * Classifies errors of Redis by their codes, in the wording of each client. All functions are pure.
 */

/** The beginning of ioredis' message after too many redirections. */
const REDIRECTED = "Too many Cluster redirections";
const CODES = "TRYAGAIN|MOVED|ASK|CROSSSLOT|CLUSTERDOWN Hash slot";
const GLIDE_CODES = "TryAgain|Moved|Ask|CrossSlot|ClusterDown: Hash slot";

const OF_A_SLOT = [
  new RegExp(`^(?:${REDIRECTED}\\. Last error: (?:ReplyError: )?)?(?:${CODES})\\b`),
  // node-redis: after too many redirections, and if no node has a slot.
  new RegExp(`^${REDIRECTED}$`),
  /^Cannot read properties of undefined \(reading 'master'\)/,
  new RegExp(`(?:^|- )(?:${GLIDE_CODES})\\b`),
  // A list was moved to another node before its state.
  /attempted to access a non local key/,
];

/**
 * Whether an error is about a slot that is being moved, or that no node has. Its node is healthy.
 */
export function isOfSlot({ message }: Error): boolean {
  return OF_A_SLOT.some((pattern) => pattern.test(message));
}

/**
 * Whether some keys of a call are on another node, because their slot is being moved. Nothing was
 * changed.
 */
export function isMissingTogether({ message }: Error): boolean {
  return /\bTRYAGAIN\b|\bTryAgain\b/.test(message);
}

/** The codes of servers that refuse writes, in the order of their numbers in the script's reply. */
const REFUSED_WRITES = ["OOM", "NOREPLICAS", "MISCONF"] as const;

/**
 * Whether a server refuses writes, for lack of memory or replicas, or because of its disk. Reads
 * still work.
 */
export function isRefusedWrite({ message }: Error): boolean {
  return REFUSED_WRITES.some((code) => message.startsWith(code));
}

/** Returns the error for a `charged` below 0 in the script's reply. */
export function refusedWrite(charged: number): Error {
  return new Error(`${REFUSED_WRITES[-charged - 1]} Redis takes no writes`);
}
