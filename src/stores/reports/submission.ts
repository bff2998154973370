import { ReportSchema, isRightsReason, submitReport } from '../../../contract/reports.ts';
import { callApi } from '../../api/browser.ts';
import type { FormValues } from '../../lib/form-state.ts';
import { createForm } from '../shared/form.ts';

/** A report of a sound. */
export function createReport(soundId: string) {
  const form = createForm({
    schema: ReportSchema,
    draft: `report:${soundId}`,
    send: (report) => callApi(submitReport, { params: { id: soundId }, body: report }),
  });
  return {
    ...form,
    /** The form keeps a relation that was typed before another reason was chosen. */
    submit: (values: FormValues) =>
      form.submit(isRightsReason(String(values['reason'])) ? values : { ...values, relation: '' }),
  };
}
