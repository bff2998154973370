import type { RateLimit } from '../../../platform/limits/limits.ts';

/** Per member: allows for rejected files and lost connections. */
export const APPLICATIONS: RateLimit = { name: 'quality-check', points: 10, perSec: 3_600 };
