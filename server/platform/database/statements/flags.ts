import type { Flag } from '../tables/parts.ts';

export function toFlag(isSet: boolean | undefined): Flag {
  return isSet ? 1 : 0;
}
