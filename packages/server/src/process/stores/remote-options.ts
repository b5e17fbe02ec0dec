import { type OnEvent, type OutageLogOptions, outageLog } from "spillway/store";
import type { StoreOptions } from "./contracts.ts";

type RemoteStoreContext = {
  /** The store's URL, without secrets. */
  readonly name: string;
  readonly explain?: NonNullable<OutageLogOptions["explain"]>;
};

/**
 * Returns the options of every store that may fail. Its health is logged by the name that its
 * operator uses.
 */
export function remoteOptions(
  { name, explain = () => undefined }: RemoteStoreContext,
  { instances, deadline, warn, onEvent: beside }: StoreOptions,
) {
  const log = outageLog({ name: `the store ${name}`, warn, explain });
  const onEvent: OnEvent = (event) => {
    beside?.(event);
    log(event);
  };
  return {
    instances,
    onEvent,
    warn: (message: string) => warn(`${name}: ${message}`),
    // Left out if there is none, so that the store's default applies.
    ...(deadline !== undefined && { deadline }),
  };
}
