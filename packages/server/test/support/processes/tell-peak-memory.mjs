// Loaded into a process by --import: tells at its end the most memory that it ever had.
import { writeSync } from "node:fs";

process.on("exit", () => writeSync(1, `peak memory: ${process.resourceUsage().maxRSS} KiB\n`));
