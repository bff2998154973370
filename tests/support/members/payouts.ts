import type { Database } from '#server/platform/database/open.ts';
import { createUser } from '#server/features/accounts/users.ts';
import type { NewUser } from '#server/features/accounts/users.ts';
import { recordReward } from '#server/features/ledger/postings.ts';
import type { PayoutDeps } from '#server/features/ledger/payout-requests.ts';
import type { Clock } from '#server/platform/concurrency/clock.ts';
import type { TestApi } from '#support/http/api.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

/** In the month before the tests begin (api.ts), and 31 days earlier, so that it can be paid out. */
export const LAST_MONTH_MS = Date.UTC(2026, 2, 1);

/** The address of a member that `addPayee` adds. */
export function toAddress(username: string): string {
  return `${username}@example.test`;
}

/** The fields that a member needs for an ID and a payout. */
export const PAYOUT_DETAILS = {
  name: '見本 太郎',
  furigana: 'みほん たろう',
  bank_name: '見本銀行',
  branch_name: '中央支店',
  deposit_type: '普通',
  account_number: '7654321',
  phone_number: '090-8765-4321',
} as const;

/** A member who can be paid out, unless `changes` prevent it. */
export function addPayee(
  database: Database,
  username: string,
  changes: Partial<NewUser> = {},
): Promise<string> {
  const email = toAddress(username);
  return createUser(database, {
    username,
    email,
    is_personal_info_verified: true,
    ...PAYOUT_DETAILS,
    ...changes,
  });
}

let rewards = 0;

/** Books a reward for last month, with its own key. */
export async function earn(
  { db }: Pick<Database, 'db'>,
  artistId: string,
  yen: number,
  atMs = LAST_MONTH_MS,
): Promise<void> {
  const idempotencyKey = `test ${(rewards += 1)}`;
  const reward = { artistId, yen, downloads: 1, atMs, reference: 'test', idempotencyKey };
  await db.transaction().execute((transaction: Handle) => recordReward(transaction, reward));
}

/** Requests a payout as a member, through the API. */
export async function askForPayout(
  api: TestApi,
  userId: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const authorization = `Bearer ${await api.logIn(userId)}`;
  return api.post('/api/finance/transfer-request/', body, { authorization, ...headers });
}

/** The id of a member's open request. */
export async function findOpenPayoutId({ db }: Database, userId: string): Promise<string> {
  const { id } = await everyTable(db)
    .selectFrom('transfer_requests')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'requested')
    .executeTakeFirstOrThrow();
  return id;
}

/** The dependencies of the services besides the API. */
export function toPayoutDeps(database: Database, clock: Clock): PayoutDeps {
  const operatorEmail = 'operator@example.test';
  return { database, clock, siteUrl: 'https://site.example', siteName: 'Otoichi', operatorEmail };
}
