import { UNTITLED } from '../../../../contract/sounds/sounds.ts';
import { useEffect, useState } from 'react';
import type { StaffUse, StaffUseAction } from '../../../../contract/operator/uses.ts';
import { toHostName } from '../../../../contract/artists/use-addresses.ts';
import { useStore } from '../../ui/use-store.ts';
import { DecisionDialog } from '../DecisionDialog.tsx';
import { useFocusAfterDecision } from '../Decisions.tsx';
import { Paged } from '../../ui/Paged.tsx';
import type { CommonReasons } from '../reasons.ts';
import { toSoundUrl } from '../sounds/sounds.ts';
import { formatTime } from '../times.ts';
import { decideOnUse, staffUses } from './uses.ts';

const ACTIONS: Readonly<
  Record<
    StaffUseAction,
    { readonly name: string; readonly effect: string; readonly done: string; readonly reasons: CommonReasons }
  >
> = {
  delete: {
    name: '削除する',
    effect: '使用報告が失われます。元に戻すことはできません。理由は、操作の記録に残ります。',
    done: '使用報告を削除しました',
    reasons: {
      リンク先: 'リンク先を確認し、公開すべきでないと判断しました。',
      嫌がらせ: '報告の内容が、アーティストへの嫌がらせに当たると判断しました。',
    },
  },
  dismiss: {
    name: '対応しない',
    effect: '非表示のままアーティストに戻します。理由は、操作の記録に残ります。',
    done: '使用報告の確認を終えました',
    reasons: { 問題なし: '内容を確認し、対応は要らないと判断しました。' },
  },
};

const STATE_NAMES: Readonly<Record<StaffUse['state'], string>> = {
  waiting: '確認待ち',
  confirmed: '公開中',
  hidden: '非表示',
  reported: '報告あり',
};

/** The uses that artists reported, while there are any; or those of one sound. */
export function StaffUses({ sound }: { sound?: string }) {
  const { items, failure } = useStore(staffUses.$list);
  const [decision, setDecision] = useState<{ use: StaffUse; action: StaffUseAction } | null>(null);
  const focus = useFocusAfterDecision('staff-uses');
  useEffect(() => {
    void staffUses.load(sound === undefined ? {} : { sound });
    return staffUses.close;
  }, [sound]);
  const texts = decision && ACTIONS[decision.action];
  const Heading = sound === undefined ? 'h2' : 'h3';
  const isNeedless = sound === undefined && items.length === 0 && failure === null;
  return (
    <section
      aria-labelledby="staff-uses"
      className={sound === undefined ? 'mb-4' : undefined}
      hidden={isNeedless}
    >
      <Heading id="staff-uses" tabIndex={-1} className="mb-2 text-lg outline-none">
        {sound === undefined ? '報告された使用作品' : '使用作品'}
      </Heading>
      <Paged
        list={staffUses}
        title="使用作品を読み込めませんでした"
        empty="使用報告はありません。"
        more="もっと表示する"
      >
        {(uses) => (
          <ul className="grid gap-2">
            {uses.map((use) => (
              <Line key={use.id} use={use} onChoose={(action) => setDecision({ use, action })} />
            ))}
          </ul>
        )}
      </Paged>
      <DecisionDialog
        key={decision?.use.id}
        title={`「${decision?.use.title ?? ''}」：${texts?.name ?? ''}`}
        effect={texts?.effect}
        verb={texts?.name ?? ''}
        isFinal={decision?.action === 'delete'}
        reasons={texts?.reasons}
        isOpen={decision !== null}
        onClose={() => setDecision(null)}
        onSend={async (reason) => {
          if (decision === null || texts === null) return;
          if (!(await decideOnUse(decision.use.id, decision.action, reason, texts.done))) return;
          setDecision(null);
          focus();
        }}
      />
    </section>
  );
}

function Line({ use, onChoose }: { use: StaffUse; onChoose: (action: StaffUseAction) => void }) {
  const actions: readonly StaffUseAction[] = use.state === 'reported' ? ['delete', 'dismiss'] : ['delete'];
  return (
    <li className="panel grid gap-2 p-4 wrap-anywhere">
      <span className="font-semibold">
        <bdi>{use.title}</bdi>
      </span>
      {/* Not a link: the staff should see where it leads before going there. */}
      <span className="text-sm">
        <strong>{toHostName(use.address)}</strong> <span className="text-muted">{use.address}</span>
      </span>
      {use.message !== '' && <p className="whitespace-pre-line">{use.message}</p>}
      <span className="text-sm text-muted">
        {STATE_NAMES[use.state]} ・ {formatTime(use.created_at)} ・ <bdi>{use.artist}</bdi> ・{' '}
        <a className="link" href={toSoundUrl(use.sound)}>
          <bdi>{use.sound_title || UNTITLED}</bdi>
        </a>
      </span>
      <div className="flex flex-wrap gap-3">
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            className="button"
            aria-haspopup="dialog"
            aria-label={`「${use.title}」：${ACTIONS[action].name}`}
            onClick={() => onChoose(action)}
          >
            {ACTIONS[action].name}…
          </button>
        ))}
      </div>
    </li>
  );
}
