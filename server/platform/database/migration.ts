import type { Transaction } from 'kysely';

export type DialectName = 'sqlite' | 'postgres';

export interface Migration {
  /** Never changes after a release: the database stores it. */
  readonly name: string;
  up(db: Transaction<unknown>, dialect: DialectName): Promise<void>;
}
