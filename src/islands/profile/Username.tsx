import { USERNAME_LENGTH_MAX, USERNAME_LENGTH_MIN } from '../../../contract/accounts/username-lengths.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { openField } from '../../stores/profile/profile.ts';
import { Icon } from '../ui/Icon.tsx';
import { SavedMark } from '../ui/SavedMark.tsx';
import { FieldEditor } from './FieldEditor.tsx';
import { useFieldEditing, useFocusBack } from './field-editor.ts';

const USERNAME_LENGTHS = `${USERNAME_LENGTH_MIN}文字から${USERNAME_LENGTH_MAX}文字。`;

interface UsernameProps {
  /** null until the name is loaded. */
  username: string | null;
  canEdit: boolean;
}

/** The page's heading, and the button that edits the name. */
export function Username({ username, canEdit }: UsernameProps) {
  const editing = useFieldEditing('username');
  const { isOpen } = editing;
  const editButton = useFocusBack(isOpen);
  return (
    <>
      <div className={isOpen ? 'sr-only' : 'flex max-w-full items-center gap-1'}>
        <h1 className="min-h-9 min-w-0 text-2xl leading-[1.5]">
          {username ?? (
            <>
              <span className="sr-only">プロフィール</span>
              <span className="profile-bar w-48" />
            </>
          )}
        </h1>
        {!isOpen && (
          <button
            ref={editButton}
            type="button"
            className="icon-button"
            aria-label="ユーザー名を編集"
            title="ユーザー名を編集"
            disabled={!canEdit}
            onClick={() => openField('username')}
          >
            <Icon name="edit" className="size-5" />
          </button>
        )}
      </div>
      <SavedMark isSaved={editing.state === 'saved'} />
      {isOpen && (
        <FieldEditor
          field="username"
          hint={`${isExtended() ? USERNAME_LENGTHS : ''}公開ページのアドレスも変わります。`}
          input={{ autoComplete: 'username' }}
          editing={editing}
        />
      )}
    </>
  );
}
