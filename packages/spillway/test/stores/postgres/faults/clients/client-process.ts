/** A process that asks through a Postgres store. */
import { serve } from "../../../faults/clients/serve.ts";
import { openClient } from "./connections.ts";

serve(openClient);
