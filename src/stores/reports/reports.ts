export {
  $isAnswering,
  $openedReport,
  $ownReports,
  closeReport,
  leaveReport,
  openReport,
} from './own-reports.ts';
export { createSeveralAnswers } from './several-answers.ts';
export { createReporterView } from './reporter-view.ts';
export { createReport } from './submission.ts';
