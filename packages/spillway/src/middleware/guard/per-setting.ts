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
