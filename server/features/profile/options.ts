/** What profiles need beside the platform. */
export interface ProfileOptions {
  /** Where donation links lead (spec §5). */
  readonly donationHost: string;
  /** How long what was earned waits before it can be paid out. */
  readonly rewardPendingDays: number;
}
