import type { Draft } from '../lib/form-state.ts';
import { listStored, readStored, writeStored } from './stored.ts';

const PREFIX = 'draft:';
const toKey = (form: string) => PREFIX + form;

/** The draft of a form in this tab. Only strings are accepted. */
export function readDraft(form: string): Draft {
  const toTexts = (stored: unknown) =>
    Object.entries(stored ?? {}).filter(([, text]) => typeof text === 'string');
  return Object.fromEntries(readStored(toKey(form), toTexts, 'sessionStorage'));
}

/** Stores a draft for the lifetime of its tab; an empty one removes the item. If storage is full, it lasts as its page. */
export function saveDraft(form: string, draft: Draft): void {
  const filled = Object.entries(draft).filter(([, text]) => text !== '');
  writeStored(toKey(form), filled.length === 0 ? null : Object.fromEntries(filled), 'sessionStorage');
}

/** Deletes all drafts of this tab: the next user may be another person. */
export function clearDrafts(): void {
  for (const form of listStored(PREFIX, 'sessionStorage')) writeStored(toKey(form), null, 'sessionStorage');
}
