/** What the ledger needs in addition to the platform. */
export interface LedgerOptions {
  /** Recipient of mails about payouts. */
  readonly operatorEmail: string;
  /** How long earnings wait before they can be paid out. */
  readonly rewardPendingDays: number;
}
