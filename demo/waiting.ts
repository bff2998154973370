import { randomBytes } from 'node:crypto';
import { DAY_MS } from '../contract/values/time-units.ts';
import { queueMail } from '../server/features/mail/service.ts';
import { answerReports } from '../server/features/reports/own-reports.ts';
import { closeOverdueReports } from '../server/features/reports/deadlines.ts';
import { confirmReport, submitReport } from '../server/features/reports/submission.ts';
import type { Database } from '../server/platform/database/open.ts';
import { randomId } from '../server/platform/database/statements/random-id.ts';
import { noRateLimits } from '../server/platform/limits/rate-limits.ts';
import { everyTable } from '../server/platform/database/schema.ts';

interface DemoReport {
  readonly artist: string;
  readonly daysAgo: number;
  readonly reason: 'copyright' | 'likeness' | 'terms';
  readonly name: string;
  readonly relation: string;
  readonly explanation: string;
  /** The artist's; a day after the report. */
  readonly answer?: string;
}

/** The first one is overdue, the second one is answered, the last one waits for its artist. */
const REPORTS: readonly DemoReport[] = [
  {
    artist: 'Minamo Works',
    daysAgo: 10,
    reason: 'copyright',
    name: '渚 あかり',
    relation: '作曲者本人',
    explanation:
      '3年前に私が公開した曲と、主旋律がほぼ同じです。\n0:05からの8小節を聴き比べてください。\nhttps://example.test/nagisa/original',
  },
  {
    artist: '凪野ことり',
    daysAgo: 4,
    reason: 'likeness',
    name: '浜口 そら',
    relation: '声の本人',
    explanation: '途中に入っている話し声は私のものです。使うことを許可していません。',
    answer:
      '話し声は、本人の許可を得て録音しました。許可をいただいたときのメールが残っています。必要であればお送りします。',
  },
  {
    artist: '鈴鳴堂',
    daysAgo: 2,
    reason: 'terms',
    name: '匿名希望',
    relation: '',
    explanation: 'タイトルと中身が合っていません。',
  },
];

/** What waits for the staff besides applications: reports, held credits, and a mail that could not be sent. */
export async function seedWaiting(
  database: Database,
  site: { readonly siteUrl: string; readonly siteName: string; readonly operatorEmail: string },
  nowMs = Date.now(),
): Promise<void> {
  for (const report of REPORTS) await seedReport(database, site, report, nowMs);
  await closeOverdueReports({ ...site, database, clock: { now: () => nowMs } });
  await seedHeldCredits(database, '鈴鳴堂', nowMs - DAY_MS);
  await seedFailedMail(database, nowMs - DAY_MS);
}

async function seedReport(
  database: Database,
  site: Parameters<typeof seedWaiting>[1],
  { artist, daysAgo, answer, ...texts }: DemoReport,
  nowMs: number,
): Promise<void> {
  const atMs = nowMs - daysAgo * DAY_MS;
  const deps = {
    ...site,
    database,
    clock: { now: () => atMs },
    rateLimits: noRateLimits,
    sessionSecret: randomBytes(32),
  };
  const sound = await findSoundOf(database, artist);
  const email = `reporter-${daysAgo}@example.test`;
  const report = { ...texts, email, is_truthful: true, shares_name: false };
  await submitReport(deps, sound.id, report, { caller: null, address: '' });
  const receipt = await everyTable(database.db)
    .selectFrom('mail_outbox')
    .select('text')
    .where('to_address', '=', email)
    .executeTakeFirstOrThrow();
  const { id } = await confirmReport(deps, /#token=([\w-]+)/.exec(receipt.text)?.[1] ?? '');
  if (answer === undefined) return;
  await answerReports({ ...deps, clock: { now: () => atMs + DAY_MS } }, [id], sound.artist_id, answer);
}

function findSoundOf({ db }: Database, artist: string) {
  return everyTable(db)
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select(['sounds.id', 'sounds.artist_id'])
    .where('users.username', '=', artist)
    .where('sounds.is_published', '=', 1)
    .where('sounds.title', '!=', '')
    .orderBy('sounds.seq')
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** Downloads from one network, beyond its daily limit. */
async function seedHeldCredits(database: Database, artist: string, atMs: number): Promise<void> {
  const sound = await findSoundOf(database, artist);
  const credits = [0, 1, 2].map((index) => ({
    id: randomId(),
    intent_id: randomId(),
    sound_id: sound.id,
    artist_id: sound.artist_id,
    visitor: randomId(),
    network: 'demo',
    state: 'held' as const,
    reason: 'network-day',
    is_counted: 0 as const,
    yen: 3,
    created_at: atMs + index * 60_000,
  }));
  await everyTable(database.db).insertInto('download_credits').values(credits).execute();
}

async function seedFailedMail({ db }: Database, atMs: number): Promise<void> {
  const mail = { to: 'nobody@example.test', subject: '【Otoichi】メールアドレスの確認', text: '', html: '' };
  await queueMail(db, mail, atMs - DAY_MS);
  const failure = { state: 'given-up', attempts: 10, finished_at: atMs } as const;
  await everyTable(db)
    .updateTable('mail_outbox')
    .set({ ...failure, last_error: '550 5.1.1 no such user' })
    .where('to_address', '=', mail.to)
    .execute();
}
