/** What the ledger needs beside the platform. */
export interface LedgerOptions {
  /** Where mails about transfer requests go. */
  readonly operatorEmail: string;
  /** How long what was earned waits before it can be paid out. */
  readonly rewardPendingDays: number;
}
