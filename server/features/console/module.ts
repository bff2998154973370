import { getOverview } from '../../../contract/operator/operator.ts';
import { getStatistics } from '../../../contract/operator/statistics.ts';
import { route, withDeps } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Settings } from '../../settings.ts';
import type { DeskDeps, Feature } from '../feature.ts';
import { READING } from '../staff/rules.ts';
import { ACTION_ROUTES } from './actions.ts';
import { MEMBER_ROUTES } from './members.ts';
import { createOverviewReader } from './overview.ts';
import { PAGE_ROUTES } from './pages.ts';
import { SECURITY_ROUTES } from './security.ts';
import { SOUND_ROUTES } from './sounds.ts';
import { createStatisticsReader } from './statistics.ts';

export interface ConsoleOptions extends Pick<DeskDeps, 'signatures'> {
  readonly settings: Settings;
}

/** The staff's console at /operator, with the desks of all features. The command line calls these routes in process. */
export const consoleFeature: Feature<ConsoleOptions> = {
  name: 'console',
  desk: [...ACTION_ROUTES, ...MEMBER_ROUTES, ...PAGE_ROUTES, ...SECURITY_ROUTES, ...SOUND_ROUTES],
  openOptions: ({ settings, signatures }) => ({ settings, signatures }),
  createModule({ settings, signatures }, { features }) {
    const toDeps = (platform: Platform) => {
      const { operatorEmail, rewardPendingDays, adProviders, zengin } = settings;
      const deps = { ...platform, signatures, operatorEmail, rewardPendingDays, adProviders, zengin };
      return {
        ...deps,
        readOverview: createOverviewReader({ ...deps, settings, features }),
        readStatistics: createStatisticsReader(platform, settings.retainMailsDays),
      };
    };
    return { routes: withDeps(toDeps, [...ROUTES, ...features.flatMap(({ desk = [] }) => desk)]) };
  },
};

type ConsoleDeps = DeskDeps & {
  readonly readOverview: ReturnType<typeof createOverviewReader>;
  readonly readStatistics: ReturnType<typeof createStatisticsReader>;
};

const ROUTES: readonly Route<ConsoleDeps>[] = [
  route(getOverview, READING, (_, { readOverview }) => readOverview()),
  route(getStatistics, READING, (_, { readStatistics }) => readStatistics()),
];
