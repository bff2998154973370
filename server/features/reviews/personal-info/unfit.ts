import { toLabels } from '../../../../contract/profile-fields.ts';
import type { PayoutField } from '../../../../contract/profile-fields.ts';
import { Problem } from '../../../platform/http/http.ts';

/** An ID that cannot be approved yet: fields of the member are empty, or the acting staff has not viewed it. */
export class UnfitPersonalInfo extends Problem {
  /** The empty fields; empty when only the view is missing. */
  readonly missing: readonly PayoutField[];

  constructor(missing: readonly PayoutField[]) {
    super(
      409,
      missing.length > 0
        ? `未入力の項目があるため、承認できません：${toLabels(missing)}`
        : '現在の登録内容と画像を見比べてから、承認してください。',
    );
    this.missing = missing;
  }
}
