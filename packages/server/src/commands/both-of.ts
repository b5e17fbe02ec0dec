/** What calls two functions, one after the other. */
export function bothOf<T>(one: (value: T) => void, other: (value: T) => void): (value: T) => void {
  return (value) => {
    one(value);
    other(value);
  };
}
