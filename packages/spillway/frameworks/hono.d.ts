/** What the library adds to of Hono's types, in place of the real ones while it is compiled. */
declare module "hono" {
  export interface ContextVariableMap {}
}
