/** Combines settings that routes share with those that each route has of its own. */

/** A route's setting: an object for its own, false for no limits, undefined for the shared ones. */
type RouteSettingValue = object | false | undefined;

/** Returns a function that creates one result per setting object, and returns it again later. */
export function perSetting<S extends RouteSettingValue, G>(
  ofAll: G,
  make: (own: S & object) => G,
): (own: S) => G | undefined {
  const made = new WeakMap<object, G>();
  return (own) => {
    if (own === undefined) return ofAll;
    if (own === false) return undefined;
    const known = made.get(own as object);
    if (known !== undefined) return known;
    const fresh = make(own as S & object);
    made.set(own as object, fresh);
    return fresh;
  };
}

/**
 * Returns the settings that many routes share, as a route of its own.
 *
 * Unlike one route, they may name no limits: each route then names its own. Pure.
 */
export function sharedRoute<T extends object>(shared: T): T {
  const { limit, limits } = shared as SettingFields;
  return limit === undefined && limits === undefined ? { ...shared, limits: [] } : shared;
}

type SettingFields = { readonly [field: string]: unknown };

/** The limits that a route names (undefined if it names none), and its other settings. */
type RouteParts = {
  readonly limits: readonly object[] | undefined;
  readonly settings: SettingFields;
};

/** Separates the limits that a route names from its other settings. Pure. */
export function routeParts(route: object): RouteParts {
  const { limit, key, count, config, reserve, settle, limits, ...settings } =
    route as SettingFields;
  const own = { limit, key, count, config, reserve, settle };
  if (limit !== undefined) return { limits: [own], settings };
  if (limits !== undefined) return { limits: limits as readonly object[], settings };
  // A key without a limit is a mistake, which the check of the whole route reports.
  return { limits: undefined, settings: route as SettingFields };
}
