/** The states of a payout request as the staff reads them. */
export const PAYOUT_STATES = { requested: '未処理', paid: '送金済み', refused: '却下' } as const;
