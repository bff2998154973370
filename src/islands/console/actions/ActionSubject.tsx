import { UNTITLED } from '../../../../contract/sounds/sounds.ts';
import { toRecordTexts } from '../../../../contract/operator/action-texts.ts';
import type { StaffAction } from '../../../../contract/operator/actions.ts';
import { toMemberUrl } from '../members/members.ts';
import { toSoundUrl } from '../sounds/sounds.ts';

const TO_URL = {
  member: (id: string) => toMemberUrl(id),
  sound: (id: string) => toSoundUrl(id),
  report: (id: string) => `/operator/reports?${new URLSearchParams({ id })}`,
};

/** What an action was done with: a link to its page, or the name or id that is on record. */
export function ActionSubject({ action }: { action: StaffAction }) {
  const { about } = action;
  if (about === null) return <span className="console-id">{toRecordTexts(action).subject}</span>;
  return (
    <a className="link" href={TO_URL[about.kind](about.id)}>
      <bdi>{about.name || UNTITLED}</bdi>
    </a>
  );
}
