import type { RateLimit } from '../../../platform/limits/limits.ts';

/** Of one member: a file that is refused, or a connection that is lost, is nobody's fault. */
export const APPLICATIONS: RateLimit = { name: 'quality-check', points: 10, perSec: 3_600 };
