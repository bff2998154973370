import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { delegate } from '#support/delegate.ts';

/** Opens a database before each test of a block, and closes it afterwards. The result stands for the one that is open. */
export function useDatabase(open: () => Promise<Database>): Database {
  const database = useEach(open);
  afterEach(() => database.close());
  return database;
}

/** The same with one database for all tests of a block. */
export function useDatabaseOnce(open: () => Promise<Database>): Database {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  return delegate(() => database);
}

/** Makes an object before each test of a block. The result stands for the current one. */
export function useEach<Value extends object>(make: () => Promise<Value>): Value {
  let value: Value;
  beforeEach(async () => {
    value = await make();
  });
  return delegate(() => value);
}
