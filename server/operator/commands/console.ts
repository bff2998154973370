import { listGroupCredits, decideCredit } from '../../../contract/operator/credits.ts';
import { addGenre, changeGenre, listOperatorGenres, removeGenre } from '../../../contract/operator/genres.ts';
import type { GenreKind, OperatorGenres, ListedGenre } from '../../../contract/operator/genres.ts';
import { decideOnMember, getMember as getMemberCall } from '../../../contract/operator/members.ts';
import type { MemberDecision } from '../../../contract/operator/members.ts';
import { listNotices } from '../../../contract/operator/notices.ts';
import {
  createOperatorPage,
  getOperatorPage,
  listOperatorPages,
  removeOperatorPage,
  saveOperatorPage,
} from '../../../contract/operator/pages.ts';
import { getPersonalInfo, listPersonalInfo } from '../../../contract/operator/personal-info.ts';
import { decideStaffReport, getStaffReport, listStaffReports } from '../../../contract/operator/reports.ts';
import type { ReportAction } from '../../../contract/operator/reports.ts';
import {
  SITE_PICTURES,
  getOperatorSite,
  removeSitePicture,
  setSiteFlag,
  setSitePicture,
} from '../../../contract/operator/site.ts';
import {
  getApplication,
  listApplications,
  listPayouts,
  payPayouts,
  refusePayout,
  reviewApplication,
} from '../../../contract/operator/operator.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Command } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { toCommand } from '../endpoint-command.ts';
import { getMember } from '../members.ts';

const PICTURES = SITE_PICTURES.join('|');

/** The commands that do what the console does, by noun and verb: each one calls an endpoint of the console. */
export const CONSOLE_COMMANDS = {
  'quality-checks': {
    list: toCommand(listApplications, { about: 'list waiting applications, oldest first' }),
    show: toCommand(getApplication, {
      about: 'show an application with links to its files, valid for ten minutes while the server runs',
    }),
    approve: toCommand(reviewApplication, {
      about: 'approve an application: the member may upload; deletes the files',
      fixed: { action: 'approve' },
    }),
    reject: toCommand(reviewApplication, {
      about: 'reject an application; the member sees the reason; deletes the files',
      fixed: { action: 'reject' },
      needs: ['reason'],
    }),
  },
  'personal-info': {
    list: toCommand(listPersonalInfo, { about: 'list waiting IDs, oldest first' }),
    show: toCommand(getPersonalInfo, { about: 'show the details of an ID, and those that are missing' }),
  },
  transfers: {
    list: toCommand(listPayouts, {
      about: 'list waiting transfer requests with the bank accounts, oldest first',
    }),
    pay: toCommand(payPayouts, {
      about: 'book requests as paid, after the bank has transferred the total in yen',
      field: 'ids',
      target: 'ID,…',
      hasFailed: ({ refused }) => refused.length > 0,
    }),
    refuse: toCommand(refusePayout, {
      about: 'refuse a request and return the yen; the member sees the reason',
      needs: ['reason'],
    }),
  },
  members: {
    show: toCommand(getMemberCall, {
      about: 'show a member, with sessions and what the staff did',
      target: 'EMAIL',
      resolve: getMemberId,
    }),
    block: decideMember(
      'block',
      'block uploads, public changes and payouts of a member, and end their sessions',
    ),
    unblock: decideMember('unblock', 'unblock a member'),
    suspend: decideMember(
      'suspend',
      'block a member and hide their page and sounds; the member sees the reason',
      ['reason'],
    ),
    unsuspend: decideMember('unsuspend', 'lift a suspension; private and hidden sounds stay as they are'),
    'revoke-quality-check': decideMember(
      'revoke-quality-check',
      'take a passed quality check back; sounds stay, uploads need a new check; the member sees the reason',
      ['reason'],
    ),
  },
  reports: {
    list: toCommand(listStaffReports, {
      about: 'list the open reports of sounds, or another list, overdue ones first',
    }),
    show: toCommand(getStaffReport, {
      about: 'show a report: what the reporter and the artist wrote, and what happened',
    }),
    ask: decideReport('ask', 'tell the artist of a held report, and ask for an answer'),
    hide: decideReport(
      'hide',
      'hide the sound of a report; before the deadline, the artist can still answer',
    ),
    restore: decideReport('restore', 'show the sound of a report again'),
    delete: decideReport('delete', 'delete the sound of a report permanently'),
    dismiss: decideReport('dismiss', 'close a report and show its sound again; both sides see the reason'),
  },
  credits: {
    list: toCommand(listGroupCredits, {
      about: 'list download credits of one state, by default those held for review',
    }),
    approve: toCommand(decideCredit, {
      about: 'approve a held credit; its artist gets the yen of the day of the download',
      fixed: { action: 'approve' },
    }),
    reject: toCommand(decideCredit, {
      about: 'reject a held credit; it stays unpaid, and the reason is recorded',
      fixed: { action: 'reject' },
      needs: ['reason'],
    }),
    reverse: toCommand(decideCredit, {
      about: 'reverse a credit, unless its yen were paid out; the reason is recorded',
      fixed: { action: 'reverse' },
      needs: ['reason'],
    }),
  },
  site: {
    show: toCommand(getOperatorSite, { about: 'show the site settings stored in the database' }),
    set: toCommand(setSiteFlag, { about: 'turn a setting on or off', field: 'flag' }),
    'set-picture': toCommand(setSitePicture, {
      about: 'replace a logo or the banner by a PNG or JPEG file',
      target: PICTURES,
    }),
    'remove-picture': toCommand(removeSitePicture, {
      about: 'remove a logo or the banner',
      target: PICTURES,
    }),
  },
  pages: {
    list: toCommand(listOperatorPages, { about: 'list extra pages in footer order' }),
    show: toCommand(getOperatorPage, { about: 'print the Markdown of a page', show: ({ body }) => body }),
    create: toCommand(createOperatorPage, {
      about: 'create the page /content/SLUG from a Markdown file',
      field: 'slug',
      defaults: { order: 0, is_listed: true },
      needs: ['title'],
    }),
    save: toCommand(saveOperatorPage, {
      about: 'change the text, title or place of a page',
      fill: (call, slug) => call(getOperatorPage, slug),
    }),
    remove: toCommand(removeOperatorPage, {
      about: 'delete a page; the default text, if any, is shown again',
      fill: (call, slug) => call(getOperatorPage, slug),
    }),
  },
  notices: {
    list: toCommand(listNotices, {
      about: 'list the notices before downloads in their order',
      show: ({ results }) => results.map(({ notice, ...rest }) => ({ ...notice, ...rest })),
    }),
  },
  types: {
    list: toCommand(listOperatorGenres, {
      about: 'list sound types in display order',
      show: ({ types }) => types,
    }),
    ...changeGenres('type'),
  },
  genres: {
    list: toCommand(listOperatorGenres, {
      about: 'list genres in display order',
      show: ({ genres }) =>
        genres.map(({ sub_genres, ...rest }) => ({
          ...rest,
          sub_genres: sub_genres.map(({ name }) => name),
        })),
    }),
    ...changeGenres('genre'),
  },
  'sub-genres': {
    list: toCommand(listOperatorGenres, {
      about: 'list sub-genres by genre',
      show: ({ genres }) =>
        genres.flatMap(({ name, sub_genres }) => sub_genres.map((each) => ({ genre: name, ...each }))),
    }),
    ...changeGenres('sub-genre'),
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Command>>>>;

async function getMemberId({ database }: CommandContext, email: string): Promise<string> {
  return (await getMember(database, email)).id;
}

function decideMember(action: MemberDecision, about: string, needs: readonly string[] = []): Command {
  return toCommand(decideOnMember, {
    about,
    target: 'EMAIL',
    resolve: getMemberId,
    fixed: { action },
    needs,
  });
}

/** About the version that is there now. */
function decideReport(action: ReportAction, about: string): Command {
  return toCommand(decideStaffReport, {
    about,
    fixed: { action },
    needs: ['reason'],
    fill: async (call, id) => ({ version: (await call(getStaffReport, id)).version }),
  });
}

function changeGenres(kind: GenreKind) {
  const isType = kind === 'type';
  const fixed = { kind, ...(!isType && { icon: undefined }) };
  return {
    add: toCommand(addGenre, {
      about: `add a ${kind} after the others`,
      field: 'name',
      fixed: { ...fixed, ...(kind !== 'sub-genre' && { genre_id: undefined }) },
      needs: kind === 'sub-genre' ? ['genre_id'] : [],
    }),
    change: toCommand(changeGenre, {
      about: `rename or move a ${kind}; search finds its sounds by the new name`,
      field: 'id',
      fixed,
      fill: async (call, id) => findGenre(await call(listOperatorGenres), kind, id),
    }),
    remove: toCommand(removeGenre, {
      about: `delete a ${kind} that no sound uses${kind === 'genre' ? ', with its sub-genres' : ''}`,
      field: 'id',
      fixed,
    }),
  };
}

/** Throws `Problem` 404. */
function findGenre({ types, genres }: OperatorGenres, kind: GenreKind, id: string): ListedGenre {
  const all = {
    type: types,
    genre: genres,
    'sub-genre': genres.flatMap(({ sub_genres }) => sub_genres),
  }[kind];
  const found = all.find((genre) => String(genre.id) === id);
  if (found === undefined) throw notFound();
  return found;
}
