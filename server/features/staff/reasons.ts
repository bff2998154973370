import { STAFF_REASON_LENGTH_MAX as REASON_LENGTH_MAX } from '../../../contract/operator/operator.ts';
import { cleanLine, countCharacters } from '../../../contract/values/texts.ts';
import { Problem } from '../../platform/http/problem.ts';

export { REASON_LENGTH_MAX };
/** For a blocked member who tries to change public data. */
export const BLOCKED_PROBLEM = 'アカウントが制限されているため、変更できません。';

/** A reason as one line, since it is shown in a mail and on a page. Throws `Problem` 400. */
export function toReason(reason: string): string {
  const line = cleanLine(reason);
  if (line === '') throw new Problem(400, { reason: '理由を入力してください。' });
  if (countCharacters(line) > REASON_LENGTH_MAX) {
    throw new Problem(400, { reason: `理由は${REASON_LENGTH_MAX}文字以内で入力してください。` });
  }
  return line;
}
