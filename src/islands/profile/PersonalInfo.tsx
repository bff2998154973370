import { useRef } from 'react';
import {
  ACCOUNT_NUMBER_SHOWN,
  PHONE_NUMBER_SHOWN,
  maskAll,
  maskAllButLast,
} from '../../../contract/values/masks.ts';
import type { Profile } from '../../../contract/accounts/profile.ts';
import { DEPOSIT_TYPES } from '../../../contract/accounts/profile-fields.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { $fields } from '../../stores/profile/profile.ts';
import { Icon } from '../ui/Icon.tsx';
import { FieldRow } from './FieldRow.tsx';
import { PendingEmail } from './PendingEmail.tsx';
import { readIdentityCheck } from './field-editor.ts';
import { PersonalId } from './PersonalId.tsx';
import { describeId } from './personal-id-states.ts';
import { useSection } from './use-section.ts';
import { useStore } from '../ui/use-store.ts';

/** The personal-info block (spec §2): visible only to its owner, masked, and collapsed at first. */
export function PersonalInfo({ profile }: { profile: Profile | undefined }) {
  const summary = useRef<HTMLElement>(null);
  const fields = useStore($fields);
  const isEditing = Object.keys(fields).length > 0;
  const { isVerified, isUnderReview } = readIdentityCheck(profile);
  // Target of the link in a mail and of the hint about missing fields.
  useSection('personal-info', summary, profile !== undefined);
  return (
    <details id="personal-info" className="profile-panel profile-details block">
      <summary ref={summary}>
        <span>
          <h2 className="text-lg">個人情報・振込先</h2>
          <span className="text-[0.875rem] text-muted">
            {profile ? describeId(profile).short : <span className="profile-bar w-32" />}
          </span>
        </span>
        <Icon name="chevron" className="profile-chevron size-5" />
      </summary>
      <div className="profile-fields" data-editing={isEditing || undefined}>
        <p className="form-hint">この内容はあなただけに見えます。報酬のお支払いと本人確認に使います。</p>
        <FieldRow field="name" input={{ autoComplete: 'name' }} />
        <FieldRow field="furigana" hint="口座の名義のとおりに、ひらがなかカタカナで入力してください。" />
        <FieldRow
          field="email"
          hint={isExtended() ? '新しいアドレスに届くメールのリンクを開くと、変更されます。' : undefined}
          input={{ inputMode: 'email', autoComplete: 'email' }}
        >
          <PendingEmail profile={profile} />
        </FieldRow>
        <FieldRow
          field="phone_number"
          input={{ type: 'tel', inputMode: 'tel', autoComplete: 'tel' }}
          mask={(text) => maskAllButLast(text, PHONE_NUMBER_SHOWN)}
        />
        <h3 className="profile-subheading">振込先</h3>
        {(isVerified || isUnderReview) && (
          <p className="form-hint flex gap-2">
            <Icon name="lock" className="mt-0.5 size-5 flex-none" />
            {isVerified
              ? '本人確認が済んでいるため、振込先は変更できません。変更するときはお問い合わせください。'
              : '本人確認の審査が終わるまで、氏名、ふりがな、振込先は変更できません。'}
          </p>
        )}
        <FieldRow field="bank_name" />
        <FieldRow field="branch_name" />
        <FieldRow
          field="deposit_type"
          input={{ kind: 'choice', choices: ['', ...DEPOSIT_TYPES] }}
          mask={maskAll}
        />
        <FieldRow
          field="account_number"
          hint="数字だけで入力してください。"
          input={{ inputMode: 'numeric', autoComplete: 'off' }}
          mask={(text) => maskAllButLast(text, ACCOUNT_NUMBER_SHOWN)}
        />
        <h3 className="profile-subheading">本人確認</h3>
        {profile && <PersonalId profile={profile} />}
      </div>
    </details>
  );
}
