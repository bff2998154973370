import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { DAY_MS } from '../contract/values/time-units.ts';
import { NewUseSchema, type UseDecision } from '../contract/artists/uses.ts';
import { createCertificateSigner } from '../server/features/certificates/signer.ts';
import { issueCertificate, prepareCertificates } from '../server/features/certificates/issuing.ts';
import { decideUses } from '../server/features/uses/decisions.ts';
import { submitUse } from '../server/features/uses/submission.ts';
import { openSecret } from '../server/platform/crypto/secrets.ts';
import type { Database } from '../server/platform/database/open.ts';
import { noRateLimits } from '../server/platform/limits/rate-limits.ts';
import { everyTable } from '../server/platform/database/schema.ts';

interface DemoUse {
  readonly daysAgo: number;
  readonly address: string;
  readonly title: string;
  readonly message: string;
  /** What the artist made of it; absent: it waits. */
  readonly state?: UseDecision;
}

const ARTIST = 'Minamo Works';
/** By the artist's sounds in turn. */
const USES: readonly DemoUse[] = [
  {
    daysAgo: 40,
    address: 'https://video.example.com/watch?v=umibe',
    title: '海辺の町を歩く Vol. 3',
    message: 'オープニングで使いました。歩く速さにぴったりでした。',
    state: 'confirmed',
  },
  {
    daysAgo: 21,
    address: 'https://games.example.com/hoshi-no-tomoshibi',
    title: 'ほしのともしび（ノベルゲーム）',
    message: '',
    state: 'confirmed',
  },
  {
    daysAgo: 12,
    address: 'https://ラジオ.example.com/第12回',
    title: '深夜のひとりごとラジオ 第12回',
    message: 'エンディング曲にしました。',
    state: 'confirmed',
  },
  {
    daysAgo: 6,
    address: 'https://cheap-shop.example.com/?ref=spam',
    title: '今だけ半額セール',
    message: 'リンクを公開してください!!',
    state: 'reported',
  },
  {
    daysAgo: 3,
    address: 'https://video.example.com/watch?v=asagohan',
    title: '朝ごはんを作るだけの動画',
    message: 'いつもありがとうございます。\n次の動画でも使わせてください。',
  },
  { daysAgo: 1, address: 'https://school.example.com/bunkasai', title: '文化祭のPV', message: '' },
];

/** Works in which listeners used one artist's sounds, in every state, told with certificates that the demo signs. */
export async function seedUses(
  database: Database,
  site: { readonly siteUrl: string; readonly siteName: string; readonly dataDir: string },
  nowMs = Date.now(),
): Promise<void> {
  const signer = createCertificateSigner(
    openSecret({ dataDir: site.dataDir, secretKey: null, previousSecretKey: null }, 'certificates'),
  );
  const body = readFileSync(new URL('../src/texts/member-terms.md', import.meta.url), 'utf8');
  const shared = { ...site, database, signer, memberTerms: { title: '会員規約', body } };
  const sounds = await selectSounds(database);
  for (const [index, { daysAgo, state, ...use }] of USES.entries()) {
    const sound = sounds[index % sounds.length];
    if (sound === undefined) throw new Error(`the demo has no sound of ${ARTIST}`);
    const atMs = nowMs - daysAgo * DAY_MS;
    const deps = {
      ...shared,
      clock: { now: () => atMs },
      rateLimits: noRateLimits,
      catalogueChanged: () => undefined,
    };
    const licence = await prepareCertificates(deps);
    const download = { soundId: sound.id, memberId: null, earlierId: null, isNewAllowed: true };
    const certificate = await database.db
      .transaction()
      .execute((transaction) => issueCertificate(transaction, deps, licence, download, atMs));
    const id = await submitUse(deps, certificate ?? '', v.parse(NewUseSchema, use));
    if (state !== undefined) await decideUses(deps, sound.artist_id, [id], state);
  }
}

function selectSounds({ db }: Database) {
  return everyTable(db)
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select(['sounds.id', 'sounds.artist_id'])
    .where('users.username', '=', ARTIST)
    .where('sounds.is_published', '=', 1)
    .where('sounds.title', '!=', '')
    .orderBy('sounds.seq')
    .limit(3)
    .execute();
}
