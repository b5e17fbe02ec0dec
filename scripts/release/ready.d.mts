export declare const PLACEHOLDER: string;
export declare function sectionOf(changelog: string, version: string): string | undefined;

/** The parts of a package.json that a release reads. */
export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly repository?: { readonly url?: string };
  readonly bugs?: { readonly url?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
};

export declare function reasonsAgainst(release: {
  /** The tag, such as "v0.1.0"; undefined where none is there yet. */
  readonly tag: string | undefined;
  /** The repository's texts by their paths. */
  readonly texts: ReadonlyMap<string, string>;
  /** Those of both packages by their paths. */
  readonly manifests: Readonly<Record<string, Manifest>>;
  /** The path of the service's. */
  readonly server: string;
}): readonly string[];
