import type * as v from 'valibot';
import { type ReportSchema, submitReport as submitReportCall } from '../../../contract/reports.ts';
import { callApi } from '../../api/browser.ts';

/** Reports a sound. Throws `ApiError`. */
export async function submitReport(
  soundId: string,
  report: v.InferInput<typeof ReportSchema>,
): Promise<void> {
  await callApi(submitReportCall, { params: { id: soundId }, body: report });
}
