/** Run as a process of its own: prints the bytes that a peer needs for a key. See `footprint`. */
import { bytesInUse } from "./heap.ts";
import { makeKeys } from "./keys.ts";
import { peers } from "./peers/index.ts";

const KEYS = 1_000_000;
const HOUR = 3_600_000;

const peer = peers.find(({ name }) => name === process.argv[2]);
if (peer === undefined) throw new Error(`no peer is called ${process.argv[2]}`);

const keys = makeKeys(KEYS);
const before = bytesInUse();
const asker = peer.open({ rate: 10, period: HOUR });
const admitted = await asker.ask(keys);
const bytes = bytesInUse() - before;
asker.close();

if (admitted !== KEYS) throw new Error(`${peer.name} admitted ${admitted} keys of ${KEYS}`);
console.log(bytes / KEYS);
