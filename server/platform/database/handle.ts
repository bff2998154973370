import type { ColumnType, Kysely, SelectType } from 'kysely';

// An interface: the type is compared by its members, of which there are none.
// eslint-disable-next-line typescript/no-empty-object-type
export interface NoTables {}

/**
 * A connection or a transaction without any table. It can be handed on, and no query compiles with it. A function that
 * queries takes the `Db` of its feature instead (`server/features/X/tables.ts`), which knows the tables of the feature;
 * a handle is assignable to each of them.
 */
export type Handle = Kysely<NoTables>;

declare const notInserted: unique symbol;

/** Tables of other features: their rows can be read, and neither inserted nor changed. */
export type ReadOnly<Tables> = {
  readonly [Name in keyof Tables]: {
    // No value has the type of an inserted one: without columns to insert, an empty row would compile.
    readonly [Column in keyof Tables[Name]]: ColumnType<
      SelectType<Tables[Name][Column]>,
      typeof notInserted,
      never
    >;
  };
};
