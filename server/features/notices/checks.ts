import * as v from 'valibot';
import { OptionalMinuteSchema } from '../../../contract/operator/minutes.ts';
import type { Check } from '../doctor/check.ts';
import { checkTexts, encodedIn } from '../doctor/stored-texts.ts';

/** What the doctor checks of notices. */
export const NOTICE_CHECKS: readonly Check[] = [
  checkTexts(
    encodedIn({ table: 'notices', id: 'id', columns: { shown_from: isMinute, shown_until: isMinute } }),
  ),
];

function isMinute(text: string): boolean {
  return v.is(OptionalMinuteSchema, text);
}
