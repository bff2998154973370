import { lazy, Suspense, useState } from 'react';
import { createDeletion, createExport } from '../../stores/account/account.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { useStore } from '../ui/use-store.ts';

/** Few members ever open it. */
const DeletionDialog = lazy(async () => ({ default: (await import('./DeletionDialog.tsx')).DeletionDialog }));

/** Lets a member download or delete all of their data. Does not wait for the profile. */
export function OwnData() {
  const [deletion] = useState(createDeletion);
  const [exporting] = useState(createExport);
  const [isDialogNeeded, setIsDialogNeeded] = useState(false);
  const isPreparing = useStore(exporting.$isPreparing);
  return (
    <section className="profile-panel">
      <h2 className="text-lg">あなたのデータ</h2>
      <p className="form-hint">
        保存されている情報を、CSVをまとめたZIPで受け取れます。CSVは表計算ソフトで開けます。
      </p>
      <div className="profile-actions">
        <BusyButton
          data-replay=""
          isBusy={isPreparing}
          busyLabel="準備中..."
          onClick={() => void exporting.start()}
        >
          データを書き出す
        </BusyButton>
        <button
          type="button"
          className="button"
          aria-haspopup="dialog"
          data-replay=""
          onClick={() => {
            setIsDialogNeeded(true);
            deletion.open();
          }}
        >
          アカウントを削除する
        </button>
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
