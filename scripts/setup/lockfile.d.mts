/** A package as a lockfile has it; the types of what tests need. */
export type Locked = {
  readonly version?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
};
export type Packages = Readonly<Record<string, Locked>>;

export function lockedIn(folder: string): Packages;
export function recordedIn(folder: string): Packages;
export function everyMachineGets(packages: Packages): string[];
export function neededBy(
  packages: Packages,
  of: { readonly workspace: string; readonly dev?: boolean },
): string[];
export function holds(folder: string, paths: readonly string[]): boolean;
