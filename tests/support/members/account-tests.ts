import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { createCountingPasswords } from './accounts.ts';
import { createTestApi } from '#support/http/api.ts';
import type { TestApi } from '#support/http/api.ts';

interface AccountTest {
  readonly database: Database;
  /** With counting passwords, and its own clock. */
  readonly api: TestApi;
  /** A number for names and addresses: the tests of a suite share its database. */
  readonly serial: number;
}

/** Opens one database for a suite, and runs `setUp` before each of its tests. */
export function setUpAccountTests(
  open: () => Promise<Database>,
  setUp: (test: AccountTest) => Promise<void>,
): void {
  let database: Database;
  let serial = 0;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    serial += 1;
    const api = createTestApi(database, { passwords: createCountingPasswords() });
    await setUp({ database, api, serial });
  });
}
