export {
  $openedReport,
  $ownReports,
  closeReport,
  leaveReport,
  openReport,
  reloadReports,
  sendAnswer,
  writeAnswer,
} from './own-reports.ts';
export { createReporterView } from './reporter-view.ts';
export { submitReport } from './submission.ts';
