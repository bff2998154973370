import type { Transaction } from 'kysely';

export type DialectName = 'sqlite' | 'postgres';

export interface Migration {
  /** Never changes once released: it is what the database remembers. */
  readonly name: string;
  up(db: Transaction<unknown>, dialect: DialectName): Promise<void>;
}
