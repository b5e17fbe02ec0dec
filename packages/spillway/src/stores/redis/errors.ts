/** What errors of Redis say, by their codes, in the words of each client. All pure. */

/** How ioredis begins where a server has redirected it too often. */
const REDIRECTED = "Too many Cluster redirections";
const CODES = "TRYAGAIN|MOVED|ASK|CROSSSLOT|CLUSTERDOWN Hash slot";
const GLIDE_CODES = "TryAgain|Moved|Ask|CrossSlot|ClusterDown: Hash slot";

const OF_A_SLOT = [
  new RegExp(`^(?:${REDIRECTED}\\. Last error: (?:ReplyError: )?)?(?:${CODES})\\b`),
  // node-redis after many redirections, and where nobody serves a slot.
  new RegExp(`^${REDIRECTED}$`),
  /^Cannot read properties of undefined \(reading 'master'\)/,
  new RegExp(`(?:^|- )(?:${GLIDE_CODES})\\b`),
  // A list has moved before its state.
  /attempted to access a non local key/,
];

/** Whether an error is of a slot that moves, or that nobody serves: its node is well. */
export function isOfSlot({ message }: Error): boolean {
  return OF_A_SLOT.some((pattern) => pattern.test(message));
}

/** Whether of the keys of a call, none of which were touched, some are missing where their slot goes. */
export function isMissingTogether({ message }: Error): boolean {
  return /\bTRYAGAIN\b|\bTryAgain\b/.test(message);
}

/** Codes of servers that take no writes, in the order of their numbers in the script's reply. */
const REFUSED_WRITES = ["OOM", "NOREPLICAS", "MISCONF"] as const;

/** Whether a server takes no writes, for want of memory, replicas or a disk: what only reads is answered. */
export function isRefusedWrite({ message }: Error): boolean {
  return REFUSED_WRITES.some((code) => message.startsWith(code));
}

/** The error that a number below 0 stands for, in place of how much was charged. */
export function refusedWrite(charged: number): Error {
  return new Error(`${REFUSED_WRITES[-charged - 1]} Redis takes no writes`);
}
