/** Makes a function that calls two others in turn. */
export function bothOf<T>(one: (value: T) => void, other: (value: T) => void): (value: T) => void {
  return (value) => {
    one(value);
    other(value);
  };
}
