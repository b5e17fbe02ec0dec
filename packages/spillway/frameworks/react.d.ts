/**
 * What the library uses of React, in place of its real types while it is compiled: the library compiles
 * without them. Tests and users have the real ones.
 */
declare module "react" {
  export function useCallback<F extends (...values: never[]) => unknown>(
    call: F,
    dependencies: readonly unknown[],
  ): F;
  export function useSyncExternalStore<T>(
    subscribe: (changed: () => void) => () => void,
    snapshot: () => T,
    serverSnapshot: () => T,
  ): T;
}
