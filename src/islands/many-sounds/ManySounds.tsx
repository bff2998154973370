import { useEffect } from 'react';
import { guardUnsaved } from '../../browser/unsaved.ts';
import { $applying, chooseRows, dismissResult } from '../../stores/many-sounds/many-sounds.ts';
import {
  $soundTypes,
  $tab,
  ALL_TAB,
  leaveDeletion,
  mySounds,
  showTab,
} from '../../stores/my-sounds/my-sounds.ts';
import { $profile, followProfile } from '../../stores/profile/profile.ts';
import { addUploads, hasUnsafeUploads, openUploads } from '../../stores/uploads/uploads.ts';
import { DeleteSoundDialog } from '../my-sounds/DeleteSoundDialog.tsx';
import { SoundTabs } from '../my-sounds/SoundTabs.tsx';
import { UploadPrompt } from '../my-sounds/UploadPrompt.tsx';
import { UploadQueue } from '../my-sounds/UploadQueue.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { ignoreStrayDrops } from '../ui/stray-drops.ts';
import { useFileDrop } from '../ui/use-file-drop.ts';
import { ChosenBar } from './ChosenBar.tsx';
import { SoundChoices } from './SoundChoices.tsx';
import { useStore } from '../ui/use-store.ts';

const PANEL_ID = 'many-sounds-panel';

/** An artist's sounds and uploads, of which several are changed at once. */
export function ManySounds() {
  const { data: profile, error, loading } = useStore($profile);
  const { data: types = [] } = useStore($soundTypes);
  const tab = useStore($tab) ?? ALL_TAB;
  const { id = '', username = '', is_blocked = false, is_verified = false } = profile ?? {};
  const canUpload = is_verified && !is_blocked;
  const isOfType = tab !== ALL_TAB;
  useEffect(followProfile, []);
  useEffect(ignoreStrayDrops, []);
  useEffect(() => guardUnsaved(() => hasUnsafeUploads() || $applying.get().state === 'sending'), []);
  useEffect(() => openUploads({ id, canUpload }), [id, canUpload]);
  useEffect(() => {
    if (username !== '') showTab(ALL_TAB, username);
    return leave;
  }, [username]);
  const drop = useFileDrop(isOfType && canUpload ? (files) => addUploads(files, tab) : null);
  return (
    <section className="profile-panel many-page" aria-labelledby="many-title" {...drop.handlers}>
      <a className="link justify-self-start" href="/profile">
        プロフィールに戻る
      </a>
      <h1 id="many-title" className="text-xl">
        サウンドをまとめて編集
      </h1>
      {profile === undefined &&
        (error !== undefined && !loading ? (
          <LoadFailure error={error} onRetry={() => $profile.revalidate()} />
        ) : (
          <p role="status">読み込んでいます…</p>
        ))}
      {is_blocked && (
        <p className="form-note form-problem">アカウントが制限されているため、編集できません。</p>
      )}
      {profile && !is_blocked && (
        <>
          <SoundTabs
            tabs={[{ id: ALL_TAB, name: 'すべて' }, ...types]}
            current={tab}
            panelId={PANEL_ID}
            onChoose={(chosen) => showTab(chosen, username)}
          />
          <div
            id={PANEL_ID}
            className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 outline-none"
            role="tabpanel"
            aria-labelledby={`own-tab-${tab}`}
            tabIndex={-1}
          >
            {isOfType && canUpload && <UploadPrompt typeId={tab} />}
            <UploadQueue types={types} />
            <SoundChoices types={types} />
            <ChosenBar />
          </div>
        </>
      )}
      <DeleteSoundDialog />
    </section>
  );
}

function leave(): void {
  mySounds.close();
  leaveDeletion();
  chooseRows([]);
  dismissResult();
}
