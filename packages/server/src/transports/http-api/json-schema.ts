/** Builds JSON Schema in few words. All functions are pure. */

/** An object with these fields, some of them required, and any others. */
export function open<P extends object>(
  properties: P,
  required: readonly (keyof P & string)[] = [],
) {
  return { type: "object", ...(required.length > 0 && { required }), properties } as const;
}

/** An object with these fields and no others. */
export function closed<P extends object>(
  properties: P,
  required: readonly (keyof P & string)[] = [],
) {
  return { ...open(properties, required), additionalProperties: false } as const;
}

type ArrayBounds = { readonly minItems?: number; readonly maxItems?: number };

export function list(items: object, bounds: ArrayBounds = {}) {
  return { type: "array", ...bounds, items } as const;
}

/** A value with a description. */
export function described<T extends string | readonly string[]>(type: T, description: string) {
  return { type, description } as const;
}

export const text = { type: "string" } as const;
export const whole = { type: "integer" } as const;
export const flag = { type: "boolean" } as const;
