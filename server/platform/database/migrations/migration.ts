import type { Transaction } from 'kysely';

export type DialectName = 'sqlite' | 'postgres';

export interface Migration {
  /**
   * Never changes after a release: the database stores it. A migration that removes or tightens something ends with the
   * first version that can do without it, such as `@1.5.0`.
   */
  readonly name: string;
  up(db: Transaction<unknown>, dialect: DialectName): Promise<void>;
  /**
   * Of the first one: what takes its place, under the same name, in a database that was made without it. Undefined for a
   * database of another program. Throws `OperatorError` for one that this program cannot migrate.
   */
  toReplacement?(applied: ReadonlySet<string>): Migration | undefined;
}

/** What makes the tables of one feature. */
export interface FeatureMigrations {
  /** Its statements of the first migration. */
  baseline?(dialect: DialectName): readonly string[];
  /** Its migrations after that. */
  readonly later?: readonly Migration[];
}
