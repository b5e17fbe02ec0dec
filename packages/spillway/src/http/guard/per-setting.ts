/** Settings that routes have in common, and those that each has of its own. */

/** What routes say for themselves: an object, false for no limits, undefined for those of all. */
type Setting = object | false | undefined;

/** Makes a function that finds what is made of a route's setting, each once. */
export function perSetting<S extends Setting, G>(
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

type Fields = { readonly [field: string]: unknown };

/** What a route says of limits, undefined where it names none, and what it says of itself. */
type RouteParts = { readonly limits: readonly object[] | undefined; readonly settings: Fields };

/** Separates the limits that a route names from its other settings. Pure. */
export function routeParts(route: object): RouteParts {
  const { limit, key, count, config, reserve, settle, limits, ...settings } = route as Fields;
  const own = { limit, key, count, config, reserve, settle };
  if (limit !== undefined) return { limits: [own], settings };
  if (limits !== undefined) return { limits: limits as readonly object[], settings };
  // A key without a limit is a mistake, which the check of the whole route reports.
  return { limits: undefined, settings: route as Fields };
}
