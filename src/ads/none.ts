import { unavailable } from './provider.ts';
import type { RewardedAdProvider } from './provider.ts';

/** The operator shows nothing: every download continues without an advertisement. */
export const noneProvider: RewardedAdProvider = {
  name: 'none',
  prepare: () => Promise.resolve(unavailable('not_configured')),
};
