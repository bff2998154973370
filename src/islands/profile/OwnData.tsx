import { useStore } from '@nanostores/react';
import { lazy, Suspense, useState } from 'react';
import { hasCapability } from '../../lib/capabilities.ts';
import { createDeletion, createExport } from '../../stores/account/account.ts';

/** Few members ever open it. */
const DeletionDialog = lazy(async () => ({ default: (await import('./DeletionDialog.tsx')).DeletionDialog }));

/** What a member can do with all of their data: take it along, and have it deleted. */
export function OwnData() {
  const [deletion] = useState(createDeletion);
  const [exporting] = useState(createExport);
  const [isDialogNeeded, setIsDialogNeeded] = useState(false);
  const isPreparing = useStore(exporting.$isPreparing);
  const [canExport, canDelete] = [hasCapability('data-export'), hasCapability('account-deletion')];
  if (!canExport && !canDelete) return null;
  return (
    <section className="profile-panel">
      <h2 className="text-lg">あなたのデータ</h2>
      {canExport && (
        <p className="form-hint">
          保存されている情報を、表計算ソフトで開けるファイル（ZIP形式）で受け取れます。
        </p>
      )}
      <div className="profile-actions">
        {canExport && (
          <button
            type="button"
            className="button"
            aria-busy={isPreparing || undefined}
            aria-disabled={isPreparing || undefined}
            onClick={() => void exporting.start()}
          >
            {isPreparing ? '準備中...' : 'データを書き出す'}
          </button>
        )}
        {canDelete && (
          <button
            type="button"
            className="button"
            aria-haspopup="dialog"
            onClick={() => {
              setIsDialogNeeded(true);
              deletion.open();
            }}
          >
            アカウントを削除する
          </button>
        )}
      </div>
      {/* Stays when it is closed, so that focus returns to the button. */}
      {isDialogNeeded && (
        <Suspense>
          <DeletionDialog deletion={deletion} />
        </Suspense>
      )}
    </section>
  );
}
