export {
  $month,
  $monthView,
  NO_MONTH,
  chooseMonth,
  hasEarnedNothing,
  isUnderWay,
  listChoices,
  reloadMonth,
  toNumber,
} from './months.ts';
export type { Figure } from './months.ts';
export { PAYOUT_ACCEPTED, PAYOUT_FAILED, createPayout } from './payout.ts';
export {
  $statementView,
  chooseStatementMonth,
  listStatementMonths,
  openStatement,
  reloadStatement,
  saveStatement,
} from './statement.ts';
export type { StatementView } from './statement.ts';
export { openTransferHistory, transferHistory } from './transfer-history.ts';
