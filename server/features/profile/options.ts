/** What profiles need in addition to the platform. */
export interface ProfileOptions {
  /** The host of donation links (spec §5). */
  readonly donationHost: string;
  /** Receives a mail about payouts whose details a member undid too late. */
  readonly operatorEmail: string;
  /** How long earnings wait before they can be paid out. */
  readonly rewardPendingDays: number;
}
