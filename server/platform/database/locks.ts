/** The advisory locks of PostgreSQL that this program takes. The numbers are arbitrary, and stay as they are. */
export const LOCKS = {
  migrations: 5_601_714,
  credits: 5_601_731,
  /** By visitor. */
  watching: 5_601_732,
  /** By account. */
  'password failures': 5_601_733,
  /** By content. */
  uploads: 5_601_734,
  reports: 5_601_789,
  notices: 5_601_790,
  'site pictures': 5_601_791,
  /** By artist. */
  uses: 5_601_792,
} as const;

export type LockName = keyof typeof LOCKS;
