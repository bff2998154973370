import { SITE_FLAGS, SITE_PICTURES } from '../../../contract/operator-site.ts';
import { PICTURE_BYTES_MAX } from '../../../contract/profile.ts';
import { getSiteSettings, setSiteFlag, setSitePicture } from '../../features/site/site.ts';
import { UnusablePictureError } from '../../media/picture-checks.ts';
import { toFacts } from '../columns.ts';
import type { Command } from '../command.ts';
import { readInput } from '../inputs.ts';
import { Refusal, UsageError } from '../refusals.ts';

const SETTINGS = [...SITE_FLAGS, ...SITE_PICTURES].join(', ');
/** Used instead of a file. */
const NONE = 'none';

export const site: Readonly<Record<string, Command>> = {
  show: {
    about: 'show the site settings stored in the database',
    reads: true,
    takesJson: true,
    async run({ context, isJson, print }) {
      const settings = await getSiteSettings(context.database);
      if (isJson) return print(JSON.stringify(settings, null, 2));
      const flags = SITE_FLAGS.map((name) => [name, settings[name] ? 'on' : 'off'] as const);
      const pictures = SITE_PICTURES.map((name) => [name, settings[name] ?? NONE] as const);
      print(toFacts(Object.fromEntries([...flags, ...pictures])));
    },
  },
  set: {
    target: 'SETTING',
    needs: ['value'],
    about: `set ${SITE_FLAGS.join(' or ')} (on, off), or a logo or banner (a PNG or JPEG file, or ${NONE})`,
    async run({ context, target, chosen, requireStaff, print }) {
      const value = chosen.value ?? '';
      const flag = SITE_FLAGS.find((name) => name === target);
      const picture = SITE_PICTURES.find((name) => name === target);
      if (flag === undefined && picture === undefined) {
        throw new UsageError(`unknown site setting "${target}"; use one of ${SETTINGS}`);
      }
      if (flag !== undefined && value !== 'on' && value !== 'off') {
        throw new UsageError(`${flag} must be on or off`);
      }
      const staff = await requireStaff();
      if (flag !== undefined) await setSiteFlag(context, staff.id, flag, value === 'on');
      if (picture !== undefined) {
        const bytes = value === NONE ? null : await readInput(value, PICTURE_BYTES_MAX);
        await setSitePicture(context, staff.id, picture, bytes).catch((error: unknown) => {
          if (!(error instanceof UnusablePictureError)) throw error;
          throw new Refusal(`${value} cannot be used as a picture (${error.fault})`);
        });
      }
      print(`Set: ${target}. The running server shows it within five seconds.`);
    },
  },
};
