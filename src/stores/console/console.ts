export { $actionList, EMPTY_ACTION_LIST, exportActions, searchActions, showOlderActions } from './actions.ts';
export { $overview } from './overview.ts';
export { LOADING_DESK } from './desk.ts';
export { UNDO_MS } from './held.ts';
export type { Desk, Unread, Waiting } from './desk.ts';
export {
  $keyProblem,
  $openingKeys,
  $photograph,
  chooseKeyFile,
  closePhotograph,
  forgetKeys,
  identityDesk,
  openPhotograph,
  touchKeys,
} from './identity.ts';
export type { KeyProblem } from './identity.ts';
export {
  $codeQuestion,
  $security,
  createConfirmation,
  createEnding,
  followCodePrompt,
  readSecurity,
  startSecurity,
} from './security.ts';
export { reviewDesk, togglePark } from './review.ts';
export {
  $chosen,
  $isPaying,
  $payouts,
  choose,
  listChosen,
  pay,
  refuse,
  savePayouts,
  sumYen,
} from './payouts.ts';
export {
  $openedReport,
  $reportQueue,
  EMPTY_REPORTS,
  NO_REPORT,
  closeStaffReport,
  decideOnReport,
  openStaffReport,
  showMoreReports,
  showReports,
} from './reports.ts';
export type { ReportQueue } from './reports.ts';
export {
  $isDeciding,
  $memberPage,
  $memberSearch,
  MEMBER_DECISION_TEXTS,
  REASONED,
  confirmDecision,
  decideOn,
  openMember,
  openMemberPage,
  searchMembers,
  toMemberSearchUrl,
  toMemberUrl,
} from './members.ts';
export type { MemberPage } from './members.ts';
export {
  $pageEditor,
  $pages,
  $preview,
  changePage,
  closePage,
  isPageUnsaved,
  keepMine,
  openPage,
  removePage,
  savePage,
  showPreview,
  startPage,
  takeTheirs,
} from './pages.ts';
export type { OpenPage, PagesList } from './pages.ts';
export {
  $noticeEditor,
  $noticePreview,
  $notices,
  chooseNoticeFile,
  closeNotice,
  editNotice,
  isNoticeUnsaved,
  isVideo,
  moveNotice,
  removeNotice,
  saveNotice,
  showNotice,
  showNoticeDraft,
  startNotice,
  typeNotice,
} from './notices.ts';
export type { NoticePart, OpenNotice } from './notices.ts';
export { $operatorSite, clearSitePicture, siteUploads, switchFlag } from './site.ts';
export { $zenginMissing, $zenginResult, saveZenginFile } from './zengin.ts';
export {
  $groups,
  $openGroup,
  NO_GROUPS,
  closeGroup,
  decideGroup,
  decideOne,
  loadGroups,
  openGroup,
} from './credits.ts';
export type { OpenGroup } from './credits.ts';
export { $labels, removeLabel, saveLabel } from './labels.ts';
export type { LabelDraft } from './labels.ts';
