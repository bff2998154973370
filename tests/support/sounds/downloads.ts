import type { AdProviderName } from '#contract/downloads/ads.ts';
import type { Database } from '#server/platform/database/open.ts';
import { toArtistAccount } from '#server/features/ledger/postings.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import type { NewSound } from '#server/features/catalogue/service.ts';
import { readCookies } from '#support/members/accounts.ts';
import { TEST_SITE_URL } from '#support/http/api.ts';
import type { TestApi } from '#support/http/api.ts';
import { toFile } from './catalogue.ts';
import { addPayee } from '#support/members/payouts.ts';
import { everyTable } from '#server/platform/database/schema.ts';

export const VISITOR_COOKIE = '__Host-visitor';

export interface Begun {
  readonly id: string;
  readonly is_granted: boolean;
}

/** A browser with its cookies, at an address, logged in or not. */
export interface TestVisitor {
  begin(soundId: string): Promise<Begun>;
  tryToBegin(soundId: string): Promise<Response>;
  report(intentId: string, state: 'begin' | 'rest' | 'end', notice?: string): Promise<Response>;
  /** Requests the file. */
  ask(soundId: string, query?: Asked): Promise<Response>;
  /** Begins, waits for the length of a Google advertisement, and requests the file; returns its status. */
  download(soundId: string, query?: Asked): Promise<number>;
  /** The cookies of this browser, by name. */
  readonly cookies: Map<string, string>;
}

export interface Asked {
  readonly log?: boolean;
  readonly intent?: string;
  readonly provider?: AdProviderName;
}

let addresses = 0;

/** An address in a network of its own; 256 in a row belong to as many providers. */
export function toNewAddress(): string {
  addresses += 1;
  return `10.${addresses % 256}.${Math.floor(addresses / 256) % 256}.1`;
}

export function createVisitor(
  api: TestApi,
  { address = toNewAddress(), memberId }: { address?: string; memberId?: string } = {},
): TestVisitor {
  const cookies = new Map<string, string>();

  async function post(path: string, body?: unknown): Promise<Response> {
    const headers: Record<string, string> = { 'x-client-address': address };
    if (cookies.size > 0) {
      headers['cookie'] = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      headers['origin'] = TEST_SITE_URL;
      headers['host'] = new URL(TEST_SITE_URL).host;
      headers['x-xsrf-token'] = cookies.get('XSRF-TOKEN') ?? '';
    }
    if (memberId !== undefined) headers['authorization'] = `Bearer ${await api.logIn(memberId)}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const init = { method: 'POST', headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await api.app.request(path, init);
    for (const [name, { value }] of readCookies(response)) cookies.set(name, value);
    return response;
  }

  const visitor: TestVisitor = {
    cookies,
    tryToBegin: (soundId) => post(`/api/sounds/${soundId}/download-intents`),
    async begin(soundId) {
      const response = await visitor.tryToBegin(soundId);
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as Begun;
    },
    report: (intentId, state, notice = 'short') =>
      post(`/api/download-intents/${intentId}/watching`, { state, notice }),
    ask(soundId, { log, intent, provider } = {}) {
      const query = new URLSearchParams();
      if (log !== undefined) query.set('log', String(log));
      if (intent !== undefined) query.set('intent', intent);
      if (provider !== undefined) query.set('provider', provider);
      return post(`/api/sounds/${soundId}/download?${query.toString()}`);
    },
    async download(soundId, query = {}) {
      const { id } = await visitor.begin(soundId);
      api.clock.advance(5_000);
      return (await visitor.ask(soundId, { log: true, provider: 'gpt', intent: id, ...query })).status;
    },
  };
  return visitor;
}

/** The outcomes of a sound's downloads, oldest first: 'credited', or the reason why not. */
export async function readVerdicts({ db }: Database, soundId: string): Promise<string[]> {
  const rows = await everyTable(db)
    .selectFrom('download_credits')
    .select(['state', 'reason', 'created_at'])
    .where('sound_id', '=', soundId)
    .execute();
  return rows.sort((a, b) => a.created_at - b.created_at).map(({ state, reason }) => reason || state);
}

/** All yen that an artist has earned, by the ledger. */
export async function readEarned({ db }: Database, artistId: string): Promise<number> {
  const rows = await everyTable(db)
    .selectFrom('ledger_entries')
    .select('amount')
    .where('to_account', '=', toArtistAccount(artistId))
    .where('kind', '=', 'reward')
    .execute();
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}

/** A sound's public count. */
export async function readDownloadCount({ db }: Database, soundId: string): Promise<number> {
  const { download_count } = await everyTable(db)
    .selectFrom('sounds')
    .select('download_count')
    .where('id', '=', soundId)
    .executeTakeFirstOrThrow();
  return download_count;
}

let artists = 0;

/** A new artist with a sound without downloads. */
export async function addArtist(database: Database): Promise<{ artistId: string; soundId: string }> {
  const artistId = await addPayee(database, `artist${(artists += 1)}`);
  return { artistId, soundId: await addSoundOf(database, artistId) };
}

let sounds = 0;

/** Another sound of an artist, without downloads. */
export async function addSoundOf(
  database: Database,
  artistId: string,
  changes: Partial<NewSound> = {},
): Promise<string> {
  const { id } = await createSound(database, {
    ...toFile(`download-${(sounds += 1)}`),
    artist_id: artistId,
    type_id: await getTypeId(database),
    title: '音',
    ...changes,
  });
  return id;
}

async function getTypeId(database: Database): Promise<number> {
  const type = await everyTable(database.db)
    .selectFrom('sound_types')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return type?.id ?? createSoundType(database, { name: '効果音' });
}
