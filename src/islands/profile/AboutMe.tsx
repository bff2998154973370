import type { Profile } from '../../../contract/accounts/profile.ts';
import { BIO_LENGTH_MAX } from '../../../contract/accounts/profile-fields.ts';
import { FieldRow } from './FieldRow.tsx';
import { useContext } from 'react';
import { DonationHost } from './field-editor.ts';
import { PendingMessageEmail } from './PendingEmail.tsx';

/** The right column (spec §2): the public text, and links to contact and support the artist. */
export function AboutMe({ profile }: { profile: Profile | undefined }) {
  const donationHost = useContext(DonationHost);
  return (
    <section className="profile-panel" aria-labelledby="about-title">
      <h2 id="about-title" className="text-lg">
        公開プロフィール
      </h2>
      {profile?.name_reading !== undefined && (
        <FieldRow
          field="name_reading"
          hint="かなで入力すると、読みでも検索で見つかります。公開ページには表示しません。"
          empty="未入力"
        />
      )}
      <FieldRow
        field="bio"
        input={{ kind: 'area', lengthMax: BIO_LENGTH_MAX }}
        empty="作風や使ってほしい場面などを書くと、聴く人に伝わります。"
      />
      <FieldRow
        field="message_email"
        hint="入力すると、公開ページからメッセージを受け取れます。アドレスは公開されません。"
        input={{ inputMode: 'email', autoComplete: 'email' }}
        empty="未入力（メッセージを受け取りません）"
      >
        <PendingMessageEmail profile={profile} />
      </FieldRow>
      <FieldRow
        field="donation_url"
        hint={
          <>
            {donationHost} のページのアドレスを入力してください。
            <a className="link" href="/content/donation-details" target="_blank">
              支援のリンクについて
            </a>
          </>
        }
        input={{ type: 'url', inputMode: 'url', placeholder: `https://${donationHost}/…` }}
        empty="未入力（公開ページに表示しません）"
      />
    </section>
  );
}
