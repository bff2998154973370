import { IDS_MAX, PAGE_SIZE_MAX } from '../../../contract/sounds/listing-limits.ts';
import { type SoundList, listSounds } from '../../../contract/sounds/sounds.ts';
import { callApi } from '../../api/browser.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { memberAtom, memberSignal } from '../shared/member-atom.ts';

/** Of a host that is not extended, at most this many pages of favourites are read. */
const PAGES_READ_MAX = 20;
/** Results are reused for this long (spec §9: queries live five minutes). */
const FRESH_MS = 5 * 60_000;

interface Read {
  readonly ids: ReadonlySet<string>;
  /** Whether these are all favourites of the member. */
  readonly isAll: boolean;
}

const $cached = memberAtom<{ readonly read: Promise<Read>; readonly atMs: number } | null>(null);

/**
 * Returns which of these sounds, at most `IDS_MAX`, are favourites; unknown ones are left out. Throws `ApiError`,
 * or the reason of the abort when the member leaves.
 */
export async function findFavorites(ids: readonly string[]): Promise<Map<string, boolean>> {
  const read = isExtended() ? await readBatch(ids) : await readAllOnce();
  return new Map(
    ids.flatMap((id) => (read.isAll || read.ids.has(id) ? [[id, read.ids.has(id)] as const] : [])),
  );
}

async function readBatch(ids: readonly string[]): Promise<Read> {
  const query = { favorite: true, ids, page_size: IDS_MAX };
  const { results } = await callApi(listSounds, { query, signal: memberSignal() });
  return { ids: new Set(results.map(({ id }) => id)), isAll: true };
}

function readAllOnce(): Promise<Read> {
  const cached = $cached.get();
  if (cached && Date.now() - cached.atMs < FRESH_MS) return cached.read;
  const read = readAll();
  const entry = { read, atMs: Date.now() };
  $cached.set(entry);
  read.catch(() => {
    if ($cached.get() === entry) $cached.set(null);
  });
  return read;
}

async function readAll(): Promise<Read> {
  const ids = new Set<string>();
  const signal = memberSignal();
  let next: number | null = 1;
  for (let pages = 0; next !== null && pages < PAGES_READ_MAX; pages += 1) {
    const query = { favorite: true, page_size: PAGE_SIZE_MAX, ...(next > 1 && { page: next }) };
    const list: SoundList = await callApi(listSounds, { query, signal });
    for (const { id } of list.results) ids.add(id);
    next = list.next;
  }
  return { ids, isAll: next === null };
}
