/** JSON Schema in fewer words. All pure. */

/** An object that may have these fields, of which some are required, and others besides. */
export function open<P extends object>(
  properties: P,
  required: readonly (keyof P & string)[] = [],
) {
  return { type: "object", ...(required.length > 0 && { required }), properties } as const;
}

/** An object that may have these fields, and no others. */
export function closed<P extends object>(
  properties: P,
  required: readonly (keyof P & string)[] = [],
) {
  return { ...open(properties, required), additionalProperties: false } as const;
}

type Bounds = { readonly minItems?: number; readonly maxItems?: number };

export function list(items: object, bounds: Bounds = {}) {
  return { type: "array", ...bounds, items } as const;
}

/** A value that is described. */
export function described<T extends string | readonly string[]>(type: T, description: string) {
  return { type, description } as const;
}

export const text = { type: "string" } as const;
export const whole = { type: "integer" } as const;
export const flag = { type: "boolean" } as const;
