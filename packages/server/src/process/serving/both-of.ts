/** Combines two functions into one that calls both in order. */
export function bothOf<T>(one: (value: T) => void, other: (value: T) => void): (value: T) => void {
  return (value) => {
    one(value);
    other(value);
  };
}
