import { useEffect, useRef } from 'react';
import type { Profile } from '../../../contract/accounts/profile.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { guardUnsaved } from '../../browser/unsaved.ts';
import {
  $deletion,
  $hasUnsavedSound,
  $soundTypes,
  $tab,
  FAVORITES_TAB,
  followNewSounds,
  leaveDeletion,
  leaveEditor,
  mySounds,
  showTab,
} from '../../stores/my-sounds/my-sounds.ts';
import { addUploads, openUploads, hasUnsafeUploads } from '../../stores/uploads/uploads.ts';
import { useSection } from '../profile/use-section.ts';
import { Icon } from '../ui/Icon.tsx';
import { ignoreStrayDrops } from '../ui/stray-drops.ts';
import { DeleteSoundDialog } from './DeleteSoundDialog.tsx';
import { EditSoundDialog } from './EditSoundDialog.tsx';
import { FavoriteList } from './FavoriteList.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { MySoundCard } from './MySoundCard.tsx';
import { SoundPageList } from './SoundPageList.tsx';
import { SoundTabs } from './SoundTabs.tsx';
import { UploadPrompt } from './UploadPrompt.tsx';
import { UploadQueue } from './UploadQueue.tsx';
import { useFileDrop } from '../ui/use-file-drop.ts';
import { $section } from '../../stores/profile/profile.ts';
import { useStore } from '../ui/use-store.ts';

const PANEL_ID = 'my-sounds-panel';
const UPLOAD_HINT = '上のボタンからファイルを選んで、最初のサウンドを追加しましょう。';
const NO_NAME = 'ユーザー名を登録すると、サウンドが表示されます。';

/** The sounds section of a verified member (spec §2), and of one whose quality check was revoked, without uploading. */
export function MySounds({ profile }: { profile: Profile }) {
  const { id, username, is_blocked, is_verified } = profile;
  const canUpload = is_verified && !is_blocked;
  const { data: types, error, loading } = useStore($soundTypes);
  const tab = useStore($tab);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => guardUnsaved(() => hasUnsafeUploads() || $hasUnsavedSound.get()), []);
  useEffect(() => openUploads({ id, canUpload }), [id, canUpload]);
  useEffect(() => leave, []);
  useEffect(followNewSounds, []);
  useEffect(ignoreStrayDrops, []);
  useEffect(() => {
    if (tab !== null) showTab(tab, username);
  }, [tab, username]);
  useFocusAfterDeletion(panel);
  const [firstType] = types ?? [];
  const section = useStore($section);
  useEffect(() => {
    // Only the tabs of types have the prompt.
    if (section === 'upload' && tab === FAVORITES_TAB && firstType) showTab(firstType.id, username);
    if (section === 'favorites' && tab !== null) showTab(FAVORITES_TAB, username);
  }, [section, tab, firstType, username]);
  const title = useRef<HTMLHeadingElement>(null);
  useSection('favorites', title, tab === FAVORITES_TAB);
  const isOfType = tab !== null && tab !== FAVORITES_TAB;
  const typeName = types?.find(({ id: typeId }) => typeId === tab)?.name ?? '';
  const drop = useFileDrop(isOfType && canUpload ? (files) => addUploads(files, tab) : null);
  return (
    <>
      <section className="my-sounds" aria-labelledby="my-sounds-title" {...drop.handlers}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 ref={title} id="my-sounds-title" tabIndex={-1} className="text-lg">
            サウンド
          </h2>
          {isExtended() && !is_blocked && (
            <a className="button" href="/profile/sounds">
              まとめて編集
            </a>
          )}
        </div>
        {types === undefined ? (
          error !== undefined && !loading ? (
            <LoadFailure error={error} onRetry={() => $soundTypes.revalidate()} />
          ) : (
            <p role="status">Loading...</p>
          )
        ) : (
          <>
            <SoundTabs
              tabs={[...types, { id: FAVORITES_TAB, name: 'お気に入り曲' }]}
              current={tab}
              panelId={PANEL_ID}
              onChoose={(chosen) => showTab(chosen, username)}
            />
            <div
              ref={panel}
              id={PANEL_ID}
              className="grid min-h-40 min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4 outline-none"
              role="tabpanel"
              aria-labelledby={`own-tab-${tab ?? ''}`}
              tabIndex={-1}
            >
              {isOfType && is_blocked && <BlockedNotice />}
              {isOfType && canUpload && <UploadPrompt typeId={tab} />}
              <UploadQueue types={types} />
              {tab === FAVORITES_TAB && <FavoriteList />}
              {isOfType && (
                <SoundPageList
                  label={typeName}
                  empty={
                    username === ''
                      ? NO_NAME
                      : `${typeName}はまだありません。${canUpload ? UPLOAD_HINT : '現在、新しいサウンドは追加できません。'}`
                  }
                  renderItem={(sound) => (
                    <li key={sound.id}>
                      <MySoundCard sound={sound} artist={username} />
                    </li>
                  )}
                />
              )}
            </div>
          </>
        )}
        {drop.isOver && (
          <p className="own-drop" aria-hidden="true">
            ここにドロップしてアップロード
          </p>
        )}
      </section>
      {/* Elements outside the section; files dropped onto them are ignored. */}
      <EditSoundDialog />
      <DeleteSoundDialog />
    </>
  );
}

/** The next visit begins with the first tab (spec §2), reloaded and without a dialog. */
function leave(): void {
  mySounds.close();
  leaveEditor();
  leaveDeletion();
}

/** Why uploading and editing are unavailable (spec §6). */
function BlockedNotice() {
  const notice = useRef<HTMLParagraphElement>(null);
  useSection('upload', notice);
  return (
    <p ref={notice} tabIndex={-1} className="form-note form-problem">
      <Icon name="warning" className="size-5 flex-none" />
      <span>
        アカウントが制限されているため、アップロードと編集はできません。
        {isExtended() && (
          <>
            心当たりがないときは、
            <a className="underline" href="/contact">
              お問い合わせ
            </a>
            ください。
          </>
        )}
      </span>
    </p>
  );
}

/** The focused button has been removed with its card. */
function useFocusAfterDeletion(panel: React.RefObject<HTMLElement | null>): void {
  const { state } = useStore($deletion);
  const before = useRef(state);
  useEffect(() => {
    const wasDeleting = before.current === 'deleting';
    before.current = state;
    if (wasDeleting && state === 'closed') panel.current?.focus({ preventScroll: true });
  }, [state, panel]);
}
