/** What carries out calls where states are kept disagrees with the steps here: neither may be believed. */
export class PortError extends Error {
  override readonly name = "PortError";
}
