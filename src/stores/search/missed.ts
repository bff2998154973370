import { countMissedSearch } from '../../../contract/artists/statistics.ts';
import { callApi } from '../../api/browser.ts';

/** Reports a search without results to an extended host. Statistics: no retry and no message. */
export function reportMissed(search: string): void {
  callApi(countMissedSearch, { body: { search } }).catch(() => undefined);
}
