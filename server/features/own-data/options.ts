/** What exports and deletions need in addition to the platform. */
export interface OwnDataOptions {
  /** How long earnings are held before they can be paid out. */
  readonly rewardPendingDays: number;
}
