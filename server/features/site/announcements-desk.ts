import * as calls from '../../../contract/operator/announcements.ts';
import { route } from '../../platform/http/route.ts';
import type { Route } from '../../platform/http/route.ts';
import {
  addAnnouncement,
  changeAnnouncement,
  endAnnouncement,
  removeAnnouncement,
  selectAnnouncements,
} from './announcements.ts';
import { CHANGING_SITE, READING } from '../staff/rules.ts';

/** Announcements under the navbar of every page. */
export const ANNOUNCEMENT_ROUTES: readonly Route[] = [
  route(calls.listAnnouncements, READING, async (_, platform) => ({
    results: await selectAnnouncements(platform),
  })),

  route(calls.addAnnouncement, CHANGING_SITE, async ({ body, caller }, platform) => ({
    id: await addAnnouncement(platform, caller.id, body),
  })),

  route(
    calls.changeAnnouncement,
    CHANGING_SITE,
    async ({ params: { id }, body: { updated_at, ...fields }, caller }, platform) => {
      await changeAnnouncement(platform, caller.id, { id, updated_at }, fields);
      return { id };
    },
  ),

  route(calls.endAnnouncement, CHANGING_SITE, async ({ params, body, caller }, platform) => {
    await endAnnouncement(platform, caller.id, { ...params, ...body });
    return { state: 'past' as const };
  }),

  route(calls.removeAnnouncement, CHANGING_SITE, async ({ params, body, caller }, platform) => {
    await removeAnnouncement(platform, caller.id, { ...params, ...body });
    return { state: 'removed' as const };
  }),
];
