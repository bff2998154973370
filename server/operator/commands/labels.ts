import { LABEL_LENGTH_MAX } from '../../../contract/operator-genres.ts';
import {
  addLabel,
  changeLabel,
  removeLabel,
  selectGenres,
  selectSoundTypes,
} from '../../features/catalogue/catalogue.ts';
import type { Label, LabelOutcome } from '../../features/catalogue/catalogue.ts';
import { toColumns } from '../columns.ts';
import type { Command, CommandCall } from '../command.ts';
import { toName, toOrder, toRowNumber } from '../inputs.ts';
import { Refusal, UsageError } from '../refusals.ts';

type Commands = Readonly<Record<string, Command>>;

/** The classification of sounds: types, genres and their sub-genres. */
export const types: Commands = {
  list: {
    about: 'list sound types in display order',
    reads: true,
    takesJson: true,
    async run({ context, isJson, print }) {
      const found = await selectSoundTypes(context.database.db);
      if (isJson) return print(JSON.stringify(found, null, 2));
      if (found.length === 0) return print('There are no sound types: members cannot upload.');
      print(
        toColumns(
          ['ID', 'NAME', 'ICON'],
          found.map(({ id, name, icon }) => [id, name, icon]),
        ),
      );
    },
  },
  ...toChanges('type', { takes: ['icon'] }),
};

export const genres: Commands = {
  list: {
    about: 'list genres and sub-genres in display order',
    reads: true,
    takesJson: true,
    async run({ context, isJson, print }) {
      const found = await selectGenres(context.database.db);
      if (isJson) return print(JSON.stringify(found, null, 2));
      if (found.length === 0) return print('There are no genres.');
      print(
        toColumns(
          ['GENRE', 'NAME', 'SUB-GENRE', 'NAME'],
          found.flatMap(({ id, name, sub_genres }) => [
            [id, name, '', ''],
            ...sub_genres.map((each) => ['', '', each.id, each.name]),
          ]),
        ),
      );
    },
  },
  ...toChanges('genre'),
};

export const subGenres: Commands = {
  list: { ...genres['list'], about: 'the same as genres list' } as Command,
  ...toChanges('sub-genre', { needs: ['genre'] }),
};

function toChanges(label: Label, more: Pick<Command, 'takes' | 'needs'> = {}): Commands {
  const takes = more.takes ?? [];
  return {
    add: {
      target: 'NAME',
      ...more,
      about: `add a ${label} after the others`,
      async run(call) {
        const { context, target, chosen, requireStaff, print } = call;
        const name = toLabelName('name', target) ?? '';
        const icon = toLabelName('icon', chosen.icon);
        const genreId = chosen.genre === undefined ? undefined : toRowNumber('--genre', chosen.genre);
        const staff = await requireStaff();
        const wanted = {
          name,
          ...(icon !== undefined && { icon }),
          ...(genreId !== undefined && { genreId }),
        };
        const id = toId(await addLabel(context, staff.id, label, wanted), name);
        print(`Added the ${label} ${name}, number ${id}.`);
      },
    },
    change: {
      target: 'ID',
      takes: ['name', 'order', ...takes],
      about: `rename or move a ${label}; search finds its sounds by the new name`,
      async run(call) {
        const { context, chosen, requireStaff, print } = call;
        const id = toRowNumber(`the ${label}`, call.target);
        const name = toLabelName('name', chosen.name);
        const icon = toLabelName('icon', chosen.icon);
        const position = toOrder(chosen.order);
        if (name === undefined && icon === undefined && position === undefined) {
          throw new UsageError(`nothing to change; use ${toOptions(takes)}`);
        }
        const staff = await requireStaff();
        const wanted = {
          ...(name !== undefined && { name }),
          ...(icon !== undefined && { icon }),
          ...(position !== undefined && { position }),
        };
        toId(await changeLabel(context, staff.id, label, id, wanted), name ?? '');
        // The first announcement was made before the sounds were indexed.
        context.catalogueChanged();
        print(`Changed: ${id}.`);
      },
    },
    remove: {
      target: 'ID',
      about: `delete a ${label} that no sound uses${label === 'genre' ? ', with its sub-genres' : ''}`,
      async run(call: CommandCall) {
        const id = toRowNumber(`the ${label}`, call.target);
        const staff = await call.requireStaff();
        toId(await removeLabel(call.context, staff.id, label, id), '');
        call.print(`Removed: ${id}.`);
      },
    },
  };
}

function toLabelName(option: string, text: string | undefined): string | undefined {
  return toName(option, text, LABEL_LENGTH_MAX);
}

/** Throws `Refusal` if the change was not possible. */
function toId(outcome: LabelOutcome, name: string): number {
  if ('id' in outcome) return outcome.id;
  if (outcome.why === 'no-genre') throw new Refusal(`${name}: the genre does not exist; see genres list`);
  if (outcome.why === 'taken') throw new Refusal(`${name} already exists`);
  const { sounds } = outcome;
  throw new Refusal(`${sounds.toLocaleString('en')} ${sounds === 1 ? 'sound uses' : 'sounds use'} it`);
}

function toOptions(takes: readonly string[]): string {
  return ['name', 'order', ...takes].map((option) => `--${option}`).join(', ');
}
