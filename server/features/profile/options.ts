/** What profiles need in addition to the platform. */
export interface ProfileOptions {
  /** The host of donation links (spec §5). */
  readonly donationHost: string;
  /** How long earnings wait before they can be paid out. */
  readonly rewardPendingDays: number;
}
