import { useEffect } from 'react';
import { isExtended } from '../../browser/extended-host.ts';
import type { ConfirmationStore } from '../../stores/account/account.ts';
import { Icon } from '../ui/Icon.tsx';
import { LinkProblems } from '../ui/LinkProblems.tsx';
import { useStore } from '../ui/use-store.ts';

/** Shows the result of a confirmation link. */
export function Confirmation({ confirmation }: { confirmation: ConfirmationStore }) {
  const result = useStore(confirmation.$state);
  const { state } = result;
  useEffect(() => void confirmation.start(), [confirmation]);
  return (
    <>
      <div role="status" className={state === 'none' || state === 'unavailable' ? 'sr-only' : 'form-note'}>
        {state === 'running' && <p>メールアドレスを確認しています…</p>}
        {state === 'confirmed' && (
          <p className="flex gap-2">
            <Icon name="check" className="size-5 flex-none text-success" />
            メールアドレスを確認しました。ログインしてください。
          </p>
        )}
        {state === 'refused' && (
          <>
            <p className="flex gap-2 font-bold">
              <Icon name="warning" className="size-5 flex-none text-danger" />
              メールアドレスを確認できませんでした。
            </p>
            <p>
              リンクが正しくないか、期限が切れています。
              {isExtended() && 'ログインすると、新しい確認メールを受け取れます。'}
            </p>
          </>
        )}
      </div>
      {result.state === 'unavailable' && (
        <LinkProblems
          problems={[
            ...result.problems,
            'メールアドレスは、まだ確認できていません。リンクはもう一度使えます。',
          ]}
          onRetry={() => void confirmation.start()}
        />
      )}
    </>
  );
}
