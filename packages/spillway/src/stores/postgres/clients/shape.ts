/** How things that are not imported are known for what they are: by what can be done with them. */

/** Whether something has all these methods. What has the names is taken to have the types too. */
export function has<T>(value: unknown, ...methods: readonly (keyof T)[]): value is T {
  return isObject(value) && methods.every((name) => typeof Reflect.get(value, name) === "function");
}

/** Whether something can have fields. Functions can: postgres.js and Knex hand out some. */
export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
