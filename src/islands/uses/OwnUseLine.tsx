import { useRef } from 'react';
import { toHostName } from '../../../contract/artists/use-addresses.ts';
import type { OwnUse, UseDecision } from '../../../contract/artists/uses.ts';
import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { formatDate } from '../../lib/format.ts';
import { soundPath } from '../../lib/paths.ts';
import { ask } from '../../stores/overlays/overlays.ts';
import { $isDecidingUses, decideOnUses } from '../../stores/uses/uses.ts';
import { useStore } from '../ui/use-store.ts';

const ACTIONS: Readonly<Record<UseDecision, string>> = {
  confirmed: '公開する',
  hidden: '非表示にする',
  reported: '運営に報告する',
};

/** A use with the actions of its artist. */
export function OwnUseLine({ use }: { use: OwnUse }) {
  const { title, address, message, sound, sound_title, state, created_at } = use;
  const isDeciding = useStore($isDecidingUses);
  const line = useRef<HTMLLIElement>(null);
  const decide = async (decision: UseDecision) => {
    if (decision === 'reported' && !(await confirmReport(title))) return;
    // The line is removed afterwards.
    const next = line.current?.nextElementSibling ?? line.current?.previousElementSibling;
    if (!(await decideOnUses([use.id], decision))) return;
    (next?.querySelector('a') ?? document.getElementById('uses-title'))?.focus();
  };
  const choices = (Object.keys(ACTIONS) as UseDecision[]).filter(
    (decision) => decision !== state && state !== 'reported',
  );
  return (
    <li ref={line}>
      <div className="grid min-w-0 justify-items-start gap-1 wrap-anywhere">
        <a
          className="link font-semibold"
          href={address}
          target="_blank"
          rel="nofollow ugc noopener noreferrer"
        >
          <bdi>{title}</bdi>
          <span className="sr-only">(新しいタブで開きます)</span>
        </a>
        <span className="form-hint">{toHostName(address)}</span>
        {message !== '' && <p className="whitespace-pre-line">{message}</p>}
        <span className="form-hint">
          サウンド：
          <a className="link" href={soundPath(sound)}>
            {sound_title || UNTITLED}
          </a>{' '}
          ・{' '}
          <time className="whitespace-nowrap" dateTime={created_at}>
            {formatDate(created_at)}
          </time>
        </span>
        {state === 'reported' && <span className="form-hint">運営者の判断を待っています。</span>}
        {choices.length > 0 && (
          <div className="mt-2 flex flex-wrap gap-2">
            {choices.map((decision) => (
              <button
                key={decision}
                type="button"
                className={decision === 'confirmed' ? 'button button-primary' : 'button'}
                aria-label={`「${title}」を${ACTIONS[decision]}`}
                aria-disabled={isDeciding || undefined}
                onClick={() => void decide(decision)}
              >
                {ACTIONS[decision]}
              </button>
            ))}
          </div>
        )}
      </div>
    </li>
  );
}

function confirmReport(title: string): Promise<boolean> {
  return ask({
    title: '運営に報告しますか？',
    text: `「${title}」を、ひとことも含めて運営者が確認します。判断が終わるまで、公開や非表示の操作はできません。`,
    action: '報告する',
  });
}
