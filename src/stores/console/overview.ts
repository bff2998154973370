import { type Overview, getOverview } from '../../../contract/operator.ts';
import { callApi } from '../../api/browser.ts';
import { memberQuery } from '../shared/queries.ts';

/** What is waiting, and today's figures. */
export const $overview = memberQuery<Overview>(['operator-overview'], {
  fetcher: () => callApi(getOverview),
  cacheLifetime: 0,
  dedupeTime: 0,
});
