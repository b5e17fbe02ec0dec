/** A process that asks through a Redis store. */
import { serve } from "../../../faults/clients/serve.ts";
import { openClient } from "./connections.ts";

serve(openClient);
