import { beforeAll, beforeEach } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import type { NewUser } from '#server/features/accounts/users.ts';
import { randomId } from '#server/platform/database/statements/random-id.ts';
import type { Database } from '#server/platform/database/open.ts';
import { useDatabase, useDatabaseOnce } from '#support/databases/use-database.ts';
import { delegate, resolve } from '#support/delegate.ts';
import { createMemoryStorage } from '#support/files/memory-files.ts';
import type { MemoryStorage } from '#support/files/memory-files.ts';
import { createCountingPasswords } from '#support/members/accounts.ts';
import type { CountingPasswords } from '#support/members/accounts.ts';
import { toAddress } from '#support/members/payouts.ts';
import { createTestApi } from './api.ts';
import type { TestApi, TestApiOptions } from './api.ts';

type Open = () => Promise<Database>;
/** Options of the API that are made anew with it. All other objects are returned too. */
type Make<Parts> = (database: Database) => Parts | Promise<Parts>;

interface Provided {
  readonly database: Database;
  readonly api: TestApi;
  readonly storage: MemoryStorage;
  readonly passwords: CountingPasswords;
  /** Replaces the API for the rest of a test, with these options changed. */
  renewApi(options?: TestApiOptions): void;
  /** Adds a member before the tests, with a name and an address of its own, and returns its id. */
  useMember(user?: Partial<NewUser>): string;
  /** The same for a member of the staff. */
  useStaff(user?: Partial<NewUser>): string;
}

/**
 * Opens a database and creates an API before each test of a block. The objects stand for those of the current test, so
 * they can be constants of the block: `const { database, api } = useApi(open)`.
 */
export function useApi<Parts extends TestApiOptions = object>(open: Open, make?: Make<Parts>) {
  return provide(useDatabase(open), beforeEach, beforeEach, make);
}

/** The same with one database and one API for all tests of a block. */
export function useApiOnce<Parts extends TestApiOptions = object>(open: Open, make?: Make<Parts>) {
  return provide(useDatabaseOnce(open), beforeAll, beforeAll, make);
}

/** The same with one database for all tests of a block, and a new API, with its own clock, for each. */
export function useFreshApi<Parts extends TestApiOptions = object>(open: Open, make?: Make<Parts>) {
  return provide(useDatabaseOnce(open), beforeAll, beforeEach, make);
}

type Before = (run: () => Promise<void>) => void;

let serial = 0;

function provide<Parts extends TestApiOptions>(
  database: Database,
  beforeMembers: Before,
  beforeApi: Before,
  make?: Make<Parts>,
): Omit<Provided, keyof Parts> & Parts {
  let parts: TestApiOptions = {};
  let api: TestApi;
  const renewApi = (options: TestApiOptions = {}) => {
    parts = { ...parts, ...options };
    api = createTestApi(database, parts);
  };
  beforeApi(async () => {
    parts = { storage: createMemoryStorage(), passwords: createCountingPasswords() };
    renewApi({ ...(await make?.(resolve(database))) });
  });
  const useMember = (user: Partial<NewUser> = {}) => {
    const id = randomId();
    const { username = `${user.is_staff ? 'staff' : 'member'}${(serial += 1)}` } = user;
    beforeMembers(
      async () => void (await createUser(database, { id, email: toAddress(username), ...user, username })),
    );
    return id;
  };
  const fixed = {
    database,
    api: delegate(() => api),
    renewApi,
    useMember,
    useStaff: (user?: Partial<NewUser>) => useMember({ ...user, is_staff: true }),
  };
  // What `make` returns is not known yet.
  return new Proxy(fixed as unknown as Omit<Provided, keyof Parts> & Parts, {
    get: (_, name) =>
      (Reflect.get(fixed, name) as unknown) ?? delegate(() => Reflect.get(parts, name) as object),
  });
}
