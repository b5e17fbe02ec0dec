/** Processes that share a limit: setups, plays, and what is shown of them. */
export { processesProgram } from "./code.ts";
export { playProcesses } from "./play.ts";
export { type ProcessesPlay, type ProcessRow, STEP } from "./rows.ts";
export { totalsOf } from "./sentences.ts";
export {
  checkedShare,
  LEASES,
  PROCESS_FIELDS,
  PROCESS_PRESETS,
  type ProcessesSetup,
  processesAddress,
  readProcessesAddress,
  readShare,
  SECONDS,
} from "./setup.ts";
