import { type OnEvent, type OutageLogOptions, outageLog } from "spillway/store";

type HealthLogOptions = OutageLogOptions & {
  /** The store's URL, without secrets. */
  readonly name: string;
  /** Receives each event as well. */
  readonly onEvent: OnEvent | undefined;
};

/** Makes a listener that logs the health of a store, by the name that its operator gave it. */
export function healthLog({ name, onEvent, ...options }: HealthLogOptions): OnEvent {
  const log = outageLog({ ...options, name: `the store ${name}` });
  return (event) => {
    onEvent?.(event);
    log(event);
  };
}
