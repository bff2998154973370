import { Icon } from './Icon.tsx';

/** Spec §2: lasts about 1.2 s. */
export function SavedMark({ isSaved }: { isSaved: boolean }) {
  return (
    <span role="status" className="saved-mark">
      {isSaved && (
        <>
          <Icon name="check" className="size-4" />
          保存しました
        </>
      )}
    </span>
  );
}
