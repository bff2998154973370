import { PersonalInfoAcceptedSchema } from '../../../contract/accounts/profile.ts';
import { ApplicationAcceptedSchema, QUALITY_CHECK_SLOTS } from '../../../contract/accounts/quality-check.ts';
import { CAUSES, PASSWORD_FIRST } from '../api-docs/call-text.ts';
import type { ApiTexts } from '../api-docs/call-text.ts';
import { choice, list, part, reply, text } from '../api-docs/field.ts';

/** Also in the profile; empty before the first submission. */
export const PERSONAL_INFO_STATES = ['', 'pending', 'confirmed', 'rejected'];
export const QUALITY_CHECK_STATES = ['', 'pending'];

/** What members submit to the staff. */
export const API_TEXTS: ApiTexts = {
  area: { tag: 'reviews', title: '審査', position: 11 },
  calls: {
    'POST /api/account/upload-quality-check/': {
      id: 'applyForQualityCheck',
      summary: 'クオリティチェックに申し込む',
      description: '3つ以上のファイルを file_1 から順に送ります。',
      refusals: {
        400: 'ファイルが3つより少ない、MP3でもM4Aでもない、種類がない、または他人のid。項目名は本文に示す',
        403: CAUSES.blocked,
        409: 'すでに通過しているか、審査中',
        413: CAUSES.fileTooLarge,
        507: CAUSES.diskFull,
      },
      fields: {
        ...Object.fromEntries(
          QUALITY_CHECK_SLOTS.map((slot, index) => [slot, part(`${index + 1}曲目。MP3、またはAACのM4A`)]),
        ),
        user_id: text('自分のid', 'NNmoXW1bOQyBLwPN'),
        types: list('サウンドの種類のid。繰り返せる', ['1']),
      },
    },
    'POST /api/account/verify-personal-info/': {
      id: 'verifyPersonalInfo',
      summary: '本人確認書類を送る',
      description: `振込先などの項目を先に入力しておきます。${PASSWORD_FIRST}`,
      refusals: {
        400: CAUSES.noPicture,
        403: CAUSES.passwordNeeded,
        409: '審査中か、すでに承認されている',
        413: CAUSES.pictureTooLarge,
      },
      fields: { personal_id_image: part('本人確認書類の写真') },
    },
  },
  components: {
    PersonalInfoAccepted: reply('受け付けた本人確認書類', PersonalInfoAcceptedSchema, {
      detail: text('結果を示す文', '本人確認書類を受け付けました。'),
      personal_info_status: choice('本人確認の状態', PERSONAL_INFO_STATES, 'pending'),
    }),
    ApplicationAccepted: reply('受け付けたクオリティチェックの申請', ApplicationAcceptedSchema, {
      detail: text('結果を示す文', 'クオリティチェックの申請を受け付けました。'),
      status: choice('申請の状態', QUALITY_CHECK_STATES, 'pending'),
    }),
  },
};
