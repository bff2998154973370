import type { Transaction } from 'kysely';

export type DialectName = 'sqlite' | 'postgres';

export interface Migration {
  /**
   * Never changes after a release: the database stores it. A migration that removes or tightens something ends with the
   * first version that can do without it, such as `@1.5.0`.
   */
  readonly name: string;
  up(db: Transaction<unknown>, dialect: DialectName): Promise<void>;
}
