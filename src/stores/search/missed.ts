import { countMissedSearch } from '../../../contract/artists/statistics.ts';
import { callApi } from '../../api/browser.ts';

/** Reports a search without results to an extended host. Statistics are worth no second try, and no message. */
export function reportMissed(search: string): void {
  callApi(countMissedSearch, { body: { search } }).catch(() => undefined);
}
