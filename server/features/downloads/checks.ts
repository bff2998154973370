import { counters } from './checks/counters.ts';
import { farms } from './checks/farms.ts';
import type { Check } from '../doctor/check.ts';

/** What the doctor checks of downloads and what they are counted for. */
export const DOWNLOAD_CHECKS: readonly Check[] = [counters, farms];
