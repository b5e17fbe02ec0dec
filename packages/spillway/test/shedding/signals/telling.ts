/** Tells one thing after another, then undefined; what is an error, it throws. */
export function telling<Told = number | undefined>(...values: readonly unknown[]): () => Told {
  const left = values.values();
  return () => {
    const { value } = left.next();
    if (value instanceof Error) throw value;
    return value as Told;
  };
}
