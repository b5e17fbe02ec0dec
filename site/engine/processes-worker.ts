/** Plays processes beside the page. */
import { type ProcessesPlay, type ProcessesSetup, playProcesses } from "../model/index.ts";
import { servePage } from "./serve-page.ts";

servePage<ProcessesSetup, ProcessesPlay>((setup) => [{ answer: playProcesses(setup) }]);
