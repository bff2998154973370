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
export {
  $severalAnswers,
  NO_ANSWERS,
  chooseReports,
  openSeveralAnswers,
  sendSeveralAnswers,
  writeSeveralAnswers,
} from './several-answers.ts';
export { createReporterView } from './reporter-view.ts';
export { submitReport } from './submission.ts';
