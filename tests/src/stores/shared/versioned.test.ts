// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { ApiError } from '#contract/calls/errors.ts';
import { showToast } from '../../support/stores.ts';

vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

import { createForm } from '#src/stores/shared/form.ts';
import { createVersioned } from '#src/stores/shared/versioned.ts';

const PROBLEM = '別の運営 さんが先に変更しています。';

/** A form of a text that someone else has changed; a save with the version of the host is accepted. */
function open(host: { version: number; text: string } | null, status = 409) {
  const saves: [version: number | null, text: string][] = [];
  const versioned = createVersioned<number, { text: string }>(1, async () =>
    host === null ? null : { version: host.version, values: { text: host.text } },
  );
  const form = createForm({
    schema: v.object({ text: v.string() }),
    initial: { text: '読んだ文章' },
    afterSave: 'keep',
    explain: ({ problems }) => problems,
    versioned,
    async send({ text }) {
      const next = await versioned.send(async (version) => {
        saves.push([version, text]);
        if (version !== (host?.version ?? null))
          throw new ApiError(status, [{ key: 'detail', message: PROBLEM }]);
        return (version ?? 0) + 10;
      });
      versioned.continueFrom(next);
      host = { version: next, text };
    },
  });
  const save = async (text: string) => {
    form.setValues({ text });
    await form.submit({ text });
  };
  return { form, saves, save, conflict: () => versioned.$conflict.get() };
}

describe('a conflict of a form', () => {
  it('stays with what is saved while the person types, and is no problem of the form', async () => {
    const { form, save, conflict } = open({ version: 2, text: '先の文章' });
    await save('わたしの文章');
    expect(conflict()).toEqual({ problem: PROBLEM, theirs: { text: '先の文章' } });
    expect(form.$form.get()).toMatchObject({ state: 'editing', problems: [] });
    form.touch('text');
    form.setValues({ text: '両方の文章' });
    expect(conflict()).toEqual({ problem: PROBLEM, theirs: { text: '先の文章' } });
    await save('両方の文章');
    expect(conflict()?.theirs).toEqual({ text: '先の文章' });
  });

  it('stays beside the reason why a later save failed', async () => {
    const { form, save, saves, conflict } = open({ version: 2, text: '先の文章' });
    await save('わたしの文章');
    vi.spyOn(saves, 'push').mockImplementationOnce(() => {
      throw new ApiError(400, [{ key: 'detail', message: '長すぎます。' }]);
    });
    await save('長い文章');
    expect(form.$form.get()).toMatchObject({ problems: ['長すぎます。'] });
    expect(conflict()).toEqual({ problem: PROBLEM, theirs: { text: '先の文章' } });
  });

  it('ends by replacing what is saved, and further saves succeed', async () => {
    const { form, save, saves, conflict } = open({ version: 2, text: '先の文章' });
    await save('わたしの文章');
    await form.conflict?.keepMine();
    expect(conflict()).toBeNull();
    await save('次の文章');
    expect(saves.slice(1)).toEqual([
      [2, 'わたしの文章'],
      [12, '次の文章'],
    ]);
  });

  it('ends by taking what is saved, which can then be changed', async () => {
    const { form, save, saves, conflict } = open({ version: 2, text: '先の文章' });
    await save('わたしの文章');
    form.conflict?.takeTheirs();
    expect([conflict(), form.$values.get(), form.$isDirty.get()]).toEqual([
      null,
      { text: '先の文章' },
      false,
    ]);
    await save('次の文章');
    expect(saves.at(-1)).toEqual([2, '次の文章']);
  });

  it('of something deleted ends by creating it again', async () => {
    const { form, save, saves, conflict } = open(null, 404);
    await save('わたしの文章');
    expect(conflict()).toEqual({ problem: PROBLEM, theirs: null });
    await form.conflict?.keepMine();
    expect(saves.at(-1)).toEqual([null, 'わたしの文章']);
    expect(conflict()).toBeNull();
  });

  it('is not one where the version is still the same: the form says why it was refused', async () => {
    const { form, saves, conflict } = open({ version: 1, text: '読んだ文章' });
    const refused = new ApiError(409, [{ key: 'detail', message: 'もう一度保存してください。' }]);
    vi.spyOn(saves, 'push').mockImplementationOnce(() => {
      throw refused;
    });
    await form.submit({ text: 'わたしの文章' });
    expect(conflict()).toBeNull();
    expect(form.$form.get()).toMatchObject({ problems: ['もう一度保存してください。'] });
  });
});
