import {
  type CommonSettings,
  type Fetcher,
  type FetcherStore,
  type KeyInput,
  nanoquery,
} from '@nanostores/query';
import { onMemberLeave } from '../session/session.ts';
import { $memberKey, memberSignal } from './member-atom.ts';

/** Spec §9: query results live 5 minutes. */
const CACHE_MS = 5 * 60_000;

/**
 * A cached query whose answer is the same for every visitor. Only the API client (`src/api`) retries. The server
 * renders from the page's own data, so it never fetches here.
 */
export const [publicQuery] = nanoquery({
  cacheLifetime: CACHE_MS,
  dedupeTime: 30_000,
  onErrorRetry: null,
  revalidateOnFocus: false,
});

type MemberSettings<Data> = Omit<CommonSettings<Data>, 'fetcher'> & {
  /** The signal aborts when the member leaves; the parts of the key follow. */
  fetcher(signal: AbortSignal, ...keys: Parameters<Fetcher<Data>>): Promise<Data>;
};

/** For one member: sends nothing for visitors, shows nothing to another member. For module level only. */
export function memberQuery<Data>(
  keys: Exclude<KeyInput, string | number | true>,
  { fetcher, ...settings }: MemberSettings<Data>,
): FetcherStore<Data> {
  const $query = publicQuery<Data>([$memberKey, ' ', ...keys], {
    ...settings,
    fetcher: (...parts) => fetcher(memberSignal(), ...parts),
  });
  // The keys of a query change a task later.
  onMemberLeave(() => {
    delete $query.key;
    $query.set({ loading: false });
  });
  return $query;
}
