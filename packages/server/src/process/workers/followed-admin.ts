/** The part of a worker in the calls of administrators, which its primary process receives. */
import { SpillwayError } from "spillway/core";
import {
  type BudgetCall,
  type ModeSwitch,
  type NoteDirect,
  RequestError,
  type Service,
} from "../../service/index.ts";
import { type AdminParts, localTarget } from "../admin/index.ts";
import type { BudgetAnswer, CallRefusal } from "./messages.ts";
import { onMessage, sendMessage } from "./primary-link.ts";
import { Replies } from "./replies.ts";

/** Follows the modes of the primary process, from the start of the worker on. */
export class FollowedModes {
  #service: Pick<Service, "setModes"> | undefined;
  #switches: readonly ModeSwitch[] = [];

  constructor() {
    onMessage("modes", ({ switches, round }) => {
      this.use(switches);
      sendMessage({ type: "switched", round });
    });
  }

  use(switches: readonly ModeSwitch[]): void {
    this.#switches = switches;
    this.#service?.setModes(switches);
  }

  /** Sets the modes of a service: those received already, and each later ones. */
  keep(service: Pick<Service, "setModes">): void {
    this.#service = service;
    service.setModes(this.#switches);
  }
}

/** Answers the calls of administrators. */
export function answerAdmin(parts: AdminParts): void {
  const target = localTarget(parts);
  onMessage("budgets", async ({ round, call }) => {
    sendMessage({ type: "called", round, answer: await answerTo(target, call) });
  });
  onMessage("keys", async ({ round }) => {
    sendMessage({ type: "keys", round, counts: await target.topKeys() });
  });
}

/** Returns the function that has the primary process write a call into the audit log. */
export function noteByPrimary(): NoteDirect {
  const notes = new Replies<CallRefusal | undefined>();
  onMessage("noted", ({ round, refused }) => notes.receive(round, refused));
  return async (call) => {
    const round = notes.next();
    const noted = notes.to(round);
    sendMessage({ type: "note", round, call });
    const refused = await noted;
    if (refused !== undefined) throw new RequestError(refused);
  };
}

async function answerTo(
  { execute }: ReturnType<typeof localTarget>,
  call: BudgetCall,
): Promise<BudgetAnswer> {
  try {
    return await execute(call);
  } catch (error) {
    if (error instanceof RequestError) {
      const { status, code, message: detail } = error;
      return { refused: { status, code, detail } };
    }
    const isStore = error instanceof SpillwayError && error.code === "unavailable";
    return { failed: isStore ? NO_ANSWER : "An internal error occurred; the worker's log has it" };
  }
}

const NO_ANSWER =
  "The store gave no answer, so the call may have taken effect; read again, then repeat it";
