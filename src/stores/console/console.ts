export { $actionList, exportActions, searchActions, showOlderActions } from './actions.ts';
export type { ActionList } from './actions.ts';
export { $overview } from './overview.ts';
export {
  $current,
  $desk,
  $held,
  UNDO_MS,
  decide,
  move,
  openDesk,
  sendHeld,
  togglePark,
  undo,
} from './review.ts';
export type { Desk, HeldDecision } from './review.ts';
export {
  $chosen,
  $isPaying,
  $payouts,
  choose,
  payChosen,
  refuse,
  savePayouts,
  sumChosen,
} from './payouts.ts';
