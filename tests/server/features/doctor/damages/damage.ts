import type { RichSite } from '../rich-site.ts';

export const BOTH = ['sqlite', 'postgres'] as const;

/** A kind of damage, as docs/doctor.md lists it. */
export interface Damage {
  readonly name: string;
  /** Where it is planted; on SQLite by default. */
  readonly on?: readonly ('sqlite' | 'postgres')[];
  plant(site: RichSite): Promise<void> | void;
  /** The kinds of findings by the name of their check; none if it is out of reach. */
  readonly finds: Readonly<Record<string, readonly string[]>>;
  /** What `--fix` does; undefined if it does nothing. */
  readonly fix?: string;
  /** What is left to find after that. */
  readonly left?: Readonly<Record<string, readonly string[]>>;
  /** Why the doctor cannot find it. */
  readonly outOfReach?: string;
}
