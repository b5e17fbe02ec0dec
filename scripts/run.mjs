/**
 * `npm run bench`, `example` and others: sets up, then runs the program named on the clone's Node.
 *
 * Without a program it only sets up, which is `npm run build`.
 */
import { runOpenly } from "./setup/child.mjs";
import { NODE } from "./setup/places.mjs";
import { setup } from "./setup/setup.mjs";

await setup();
const args = process.argv.slice(2);
if (args.length > 0) process.exitCode = await runOpenly({ command: NODE, args });
