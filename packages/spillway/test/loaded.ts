/** Loads what is otherwise loaded by the first call that waits, so that tests find it there. */
import { Later } from "../src/limiter/later.ts";

await new Later().load();
