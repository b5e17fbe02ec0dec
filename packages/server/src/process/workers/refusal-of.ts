import { RequestError } from "../../service/index.ts";
import type { CallRefusal } from "./messages.ts";

/** Returns why a call is refused, as plain data; undefined if it is not. Rethrows other errors. */
export async function refusalOf(call: () => Promise<unknown>): Promise<CallRefusal | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { status, code, message: detail } = error;
    return { status, code, detail };
  }
}
