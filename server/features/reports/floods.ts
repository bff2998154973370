import type { Asking } from '../../../contract/operator/reports.ts';
import * as limits from './limits.ts';
import { OPEN_STATES } from './queries.ts';
import type { Report } from './queries.ts';
import type { Db } from './tables.ts';

/** A lapsed report is stored for a month. */
const UNCONFIRMED = ['unconfirmed', 'lapsed'] as const;

/**
 * Makes room for one more unconfirmed report from a network: deletes the oldest one of the address that sent most of
 * them, and of the network that sent most of all. The caller holds the lock of reports.
 */
export async function makeRoom(db: Db, network: string): Promise<void> {
  if (network !== '') await evict(db, 'source', limits.UNCONFIRMED_PER_NETWORK_MAX, network);
  await evict(db, 'network', limits.UNCONFIRMED_MAX);
}

/** Deletes reports until there are fewer than `max`; each time the oldest of the largest group. */
async function evict(db: Db, group: 'source' | 'network', max: number, network?: string): Promise<void> {
  const unconfirmed = () =>
    db
      .selectFrom('reports')
      .where('state', 'in', UNCONFIRMED)
      .$if(network !== undefined, (query) => query.where('network', '=', network ?? ''));
  for (;;) {
    const { total } = await unconfirmed()
      .select(({ fn }) => fn.countAll<number | string>().as('total'))
      .executeTakeFirstOrThrow();
    if (Number(total) < max) return;
    const { key } = await unconfirmed()
      .select(({ ref }) => ref(group).as('key'))
      .groupBy(group)
      .orderBy(({ fn }) => fn.countAll(), 'desc')
      .orderBy(({ fn }) => fn.min('created_at'))
      .limit(1)
      .executeTakeFirstOrThrow();
    const oldest = unconfirmed()
      .select('id')
      .where(group, '=', key)
      .orderBy('created_at')
      .orderBy('id')
      .limit(1);
    await db.deleteFrom('reports').where('id', 'in', oldest).execute();
  }
}

/**
 * Whether the artist is notified of a report that is being confirmed, or the staff decides that. An honest reporter
 * shares the mail domain with others: a held report is not refused. The caller holds the lock of reports.
 */
export async function decideNotification(
  db: Db,
  { artist_id, email_key, network }: Pick<Report, 'artist_id' | 'email_key' | 'network'>,
): Promise<Asking> {
  const selectNotified = () =>
    db
      .selectFrom('reports')
      .select('email_key')
      .where('is_confirmed', '=', 1)
      .where('state', 'in', OPEN_STATES)
      .where('asking', '!=', 'held')
      .limit(limits.NOTIFIED_PER_ARTIST_MAX + limits.NOTIFIED_PER_NETWORK_MAX);
  const ofArtist = await selectNotified().where('artist_id', '=', artist_id).execute();
  if (ofArtist.length >= limits.NOTIFIED_PER_ARTIST_MAX) return 'held';
  const domain = toMailDomain(email_key);
  const ofDomain = ofArtist.filter((other) => toMailDomain(other.email_key) === domain);
  if (ofDomain.length >= limits.NOTIFIED_PER_DOMAIN_MAX) return 'held';
  const ofNetwork = network === '' ? [] : await selectNotified().where('network', '=', network).execute();
  return ofNetwork.length >= limits.NOTIFIED_PER_NETWORK_MAX ? 'held' : 'queued';
}

/**
 * The registered domain of an address, since names below it cost nothing: two labels, or three where the
 * second one is short, as in `co.jp`.
 */
function toMailDomain(emailKey: string): string {
  const labels = emailKey
    .slice(emailKey.lastIndexOf('@') + 1)
    .split('.')
    .filter(Boolean);
  const [second = '', top = ''] = labels.slice(-2);
  return labels.slice(second.length <= 3 && top.length === 2 ? -3 : -2).join('.');
}
