import { type Overview, getOverview } from '../../../../contract/operator/operator.ts';
import { type Statistics, getStatistics } from '../../../../contract/operator/statistics.ts';
import { callApi } from '../../../api/browser.ts';
import { staffQuery } from '../../../stores/shared/staff-query.ts';

/** What is waiting, and today's figures. */
export const $overview = staffQuery<Overview>('overview', (signal) => callApi(getOverview, { signal }));

/** How the site develops. */
export const $statistics = staffQuery<Statistics>('statistics', (signal) =>
  callApi(getStatistics, { signal }),
);
