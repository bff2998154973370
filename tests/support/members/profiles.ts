import type { Updateable } from 'kysely';
import type { Database } from '#server/platform/database/open.ts';
import type { Schema } from '#server/platform/database/schema.ts';
import type { TestApi } from '#support/http/api.ts';
import { everyTable } from '#server/platform/database/schema.ts';

/** The headers of a member's call. */
export async function as(api: TestApi, userId: string): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await api.logIn(userId)}` };
}

/** Changes a profile, as its owner unless the headers name another caller. */
export async function patchProfile(
  api: TestApi,
  userId: string,
  change: object | string,
  headers?: Readonly<Record<string, string>>,
): Promise<Response> {
  return api.app.request('/api/account/update-profile/', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...(headers ?? (await as(api, userId))) },
    body: typeof change === 'string' ? change : JSON.stringify(change),
  });
}

/** Changes a row directly. */
export async function changeUser(
  { db }: Pick<Database, 'db'>,
  userId: string,
  changes: Updateable<Schema['users']>,
): Promise<void> {
  await everyTable(db).updateTable('users').set(changes).where('id', '=', userId).execute();
}

/** The recorded actions of the staff, oldest first. */
export function readActions({ db }: Pick<Database, 'db'>) {
  const columns = ['staff_id', 'action', 'subject', 'note'] as const;
  return everyTable(db)
    .selectFrom('operator_actions')
    .select(columns)
    .orderBy('at')
    .orderBy('action')
    .execute();
}

/** The present row. */
export function readUser({ db }: Database, userId: string) {
  return everyTable(db).selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
}

const TAGS = 'script SCRIPT scrıpt svg math iframe object embed style base template noscript xmp'.split(' ');
const EVENTS = [
  'img src=x onerror',
  'img/src=x/onerror',
  'svg onload',
  'body onload',
  'video src=x onerror',
  'audio src=x onerror',
  'details open ontoggle',
  'input autofocus onfocus',
  'marquee onstart',
  'x onclick',
];
const OTHERS = String.raw`
alert(1)
${'`${alert(1)}`'}
{{constructor.constructor("alert(1)")()}}
#{alert(1)}
"><script>alert(1)</script>
'><script>alert(1)</script>
" onmouseover="alert(1)
' onmouseover='alert(1)
</title><script>alert(1)</script>
</textarea><img src=x onerror=alert(1)>
</script><script>alert(1)//
--><script>alert(1)</script>
]]><script>alert(1)</script>
<!--<img src="--><img src=x onerror=a>
javascript:alert(1)
JaVaScRiPt:alert(1)
data:text/html,<script>alert(1)</script>
vbscript:alert(1)
&lt;script&gt;alert(1)&lt;/script&gt;
&#60;script&#62;
&amp;lt;
%3Cscript%3E
\u003cscript\u003e
<a href="javascript:alert(1)">x</a>
<form action=//evil.test>
<meta http-equiv=refresh content=0>
<link rel=stylesheet href=//evil.test>
<img src=//evil.test/x>
<script src=//evil.test>
<<script>script>alert(1)
<img src=x onerror	=alert(1)>
＜script＞alert(1)＜/script＞
{"__html":"<b>"}
<%= 7*7 %>
<?php echo 1 ?>
');alert(1);//
";alert(1)//
`;

/** Texts that change their meaning when they are not escaped (W1); none has 61 characters. */
export const XSS_TEXTS: readonly string[] = [
  ...TAGS.map((tag) => `<${tag}>alert(1)</${tag}>`),
  ...EVENTS.map((event) => `<${event}=alert(1)>`),
  ...OTHERS.trim().split('\n'),
];
