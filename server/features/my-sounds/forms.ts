import * as v from 'valibot';
import { SoundChangeSchema, SoundVersionSchema, updateSound } from '../../../contract/sounds/my-sounds.ts';
import type { SoundChange } from '../../../contract/sounds/my-sounds.ts';
import { Problem, parseInput } from '../../platform/http/problem.ts';
import { toFileName } from '../../platform/http/form-file-names.ts';
import type { Form } from '../../platform/http/form.ts';

/** The single value of a text part; undefined when absent. Throws `Problem` 400 that names a repeated part. */
export function findText({ texts }: Form, name: string): string | undefined {
  const [text, another] = texts.get(name) ?? [];
  if (another !== undefined) throw new Problem(400, { [name]: '1つだけ送信してください。' });
  return text;
}

/** The upload id in a form, instead of a file. Throws `Problem` 400 when it contains both. */
export function findUploadId(form: Form): string | undefined {
  const id = findText(form, 'upload') || undefined;
  if (id !== undefined && form.files.has('file')) {
    throw new Problem(400, { upload: 'ファイルかアップロードのどちらか1つを送信してください。' });
  }
  return id;
}

/** The version in which a changed sound was read. Throws `Problem` 400. */
export function parseVersion(form: Form): string | undefined {
  const schema = v.object({ updated_at: SoundVersionSchema });
  return parseInput(schema, { updated_at: findText(form, 'updated_at') }).updated_at;
}

/** The validated texts of `updateSound`. Throws `Problem` 400 that names each invalid one. */
export function parseChange(form: Form): SoundChange {
  const given: Record<string, unknown> = {};
  for (const name of form.texts.keys()) {
    given[name] = updateSound.form?.lists?.includes(name) ? form.texts.get(name) : findText(form, name);
  }
  const change = parseInput(SoundChangeSchema, given);
  const { filename } = change;
  if (filename === undefined) return change;
  const name = toFileName(filename);
  if (name === '') throw new Problem(400, { filename: 'ファイル名を入力してください。' });
  return { ...change, filename: name };
}
