import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { callApi, uploadForm } from '../../support/stores.ts';

vi.mock('#src/api/upload.ts', () => ({ uploadForm }));
vi.mock('#src/api/browser.ts', () => ({ callApi }));

import { sendSoundChange } from '#src/stores/my-sounds/save.ts';

const GENRES_REFUSED = new ApiError(400, [{ key: 'sub_genres', message: 'A valid integer is required.' }]);
const options = { onProgress: () => undefined };
const sent = () =>
  uploadForm.mock.calls.map(([, form]) => [...form].map(([key, value]) => `${key}=${String(value)}`));
/** A host whose list field accepts the values for which `isTaken` is true. */
const takeGenres = (isTaken: (value: string) => boolean) =>
  uploadForm.mockImplementation(async (_, form) => {
    if (!form.getAll('sub_genres').every((value) => isTaken(String(value)))) throw GENRES_REFUSED;
  });

beforeEach(() => {
  uploadForm.mockReset().mockResolvedValue();
  callApi.mockReset().mockResolvedValue({});
});

describe('cleared genres', () => {
  const emptied = { rows: { title: 'Rain', sub_genres: [] }, thumbnail: null };

  it('are one empty value for a host that accepts it', async () => {
    await sendSoundChange('1', emptied, options);
    expect(sent()).toEqual([['title=Rain', 'sub_genres=']]);
  });

  it('are JSON in the form for a host that reads its list fields so', async () => {
    takeGenres((value) => value === '[]');
    await sendSoundChange('1', emptied, options);
    expect(sent().at(-1)).toEqual(['title=Rain', 'sub_genres=[]']);
    expect(callApi).not.toHaveBeenCalled();
  });

  it('are a JSON body for a host whose forms have no empty list; the rest follows as a form', async () => {
    takeGenres((value) => /^\d+$/.test(value));
    await sendSoundChange('1', emptied, options);
    expect(callApi.mock.calls).toMatchObject([
      [
        { method: 'PATCH', path: '/api/sounds/{id}/' },
        { params: { id: '1' }, body: { sub_genres: [] } },
      ],
    ]);
    expect(sent().at(-1)).toEqual(['title=Rain']);
  });

  it('are refused with the first reason where no format is accepted', async () => {
    takeGenres(() => false);
    callApi.mockRejectedValue(new ApiError(415, []));
    await expect(sendSoundChange('1', emptied, options)).rejects.toBe(GENRES_REFUSED);
  });

  it('are sent once where the host refuses something else', async () => {
    const refusal = new ApiError(400, [{ key: 'title', message: 'no' }]);
    uploadForm.mockRejectedValue(refusal);
    await expect(sendSoundChange('1', emptied, options)).rejects.toBe(refusal);
    expect(uploadForm).toHaveBeenCalledTimes(1);
  });
});

it('chosen genres are the repeated key of spec §7', async () => {
  await sendSoundChange('1', { rows: { sub_genres: ['1', '2'] }, thumbnail: null }, options);
  expect(sent()).toEqual([['sub_genres=1', 'sub_genres=2']]);
});
