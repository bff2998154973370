import { readFileSync, readdirSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Every collection that can live as long as the process, with its bound. */
const BOUNDS: Readonly<Record<string, string>> = {
  'server/platform/database/drivers/postgres.ts #inTransaction': 'weak: connections of the pool',
  'server/platform/database/drivers/postgres.ts #leaves': 'weak: connections of the pool',
  'server/platform/database/drivers/postgres.ts #configured': 'weak: connections of the pool',
  'server/platform/log.ts shorteners': 'weak: logs',
  'server/outages.ts outages': 'one per cause, three in all',
  'server/platform/database/statements/cached.ts caches': 'one per database, each an LRU of 200 keys',
  'server/platform/database/drivers/sqlite-driver.ts #prepared': 'LRU of STATEMENTS_MAX',
  'server/features/visitors/addresses.ts cachedKeys': 'one per database',
  'server/features/catalogue/search/own-words.ts broader': 'words of the operator: GROUPS_MAX groups',
  'server/features/catalogue/search/own-words.ts createOwnWords':
    'words of the operator, while they are loaded',
  'server/features/catalogue/search/own-words.ts synonyms': 'words of the operator, while they are loaded',
  'server/features/catalogue/search/own-words.ts others': 'words of the operator: GROUPS_MAX groups',
  'server/features/catalogue/search/near-index.ts #byLength': 'words of the program and of the operator',
  'server/features/catalogue/search/words.ts #found': 'words of the program',
  'server/features/catalogue/listing/fact-counts.ts countsByQuery':
    'groups of filters, while one call is answered',
  'server/features/catalogue/similar/similar-worker.ts artists':
    'one entry per artist; the thread ends after a round',
  'server/features/catalogue/threads.ts waiting': 'one question at a time; deleted when it is answered',
  'server/features/ledger/zengin/banks.ts compared': 'weak: the entries of one published list of banks',
  'server/features/api-docs/simplify.ts known': 'schemas of the contract, while the document is made',
  'server/features/backups/bucket/sent.ts times': 'files of 30 days, in a process that ends with its copy',
  'server/features/backups/pool.ts known': 'files of one backup, while another is made',
  'server/features/statistics/repeats.ts counts': 'LRU of HASHES_MAX',
  'server/features/my-sounds/uploads/locks.ts holders': 'calls under way',
  'server/features/my-sounds/uploads/locks.ts runs': 'calls under way',
  'server/features/my-sounds/uploads/protocol.ts underWay': 'weak: calls under way',
  'server/edge.ts openSite': 'as in server/host.ts',
  'server/host.ts cached': 'page caches of this process: one',
  'server/host.ts replies':
    'one per endpoint without parameters, and COUNTS_CACHED_MAX numbers beside filters',
  'server/platform/http/matched-routes.ts matched': 'requests in progress, weakly',
  'server/platform/limits/budgets.ts budgets': 'LRU of 5,000 address groups',
  'server/platform/limits/processor-time.ts underWay': 'places of the admissions',
  'server/platform/concurrency/background-jobs.ts underWay': 'work under way',
  'server/platform/storage/disk-space.ts latest': 'one per folder of the settings',
  'server/platform/storage/disk-space.ts scans': 'one per folder of the settings',
  'server/platform/storage/disk-space.ts watched': 'one per folder of the settings',
  'server/platform/turns.ts #underWay': 'parallel',
  'server/platform/turns.ts #waiting':
    'waitingMax, or waitingPerKeyMax for each caller with calls under way; one decoding waits for each upload',
  'server/platform/limits/concurrency-limiter.ts inUse': 'calls under way',
  'server/platform/limits/counting-between-workers.ts waiting': 'calls under way',
  'server/platform/limits/counting.ts #keys': 'LRU of 20,000 keys per limit',
  'server/platform/limits/counting.ts limiters': 'one per limit of the program',
  'server/platform/storage/open.ts clients': 'weak: buckets of the settings and of a move',
  'server/platform/storage/s3/bucket.ts written': 'LRU of NEW_OBJECTS',
  'server/platform/synced-files.ts synced': 'LRU of FOLDERS_MAX',
  'server/platform/storage/s3/signing.ts signing': 'one key for each bucket and day',
  'server/web/access-log.ts networks': 'NAMED_MAX',
  'server/web/conditions.ts picked': '100 values of 100 characters',
  'server/web/connections.ts connections': 'MAX_CONNECTIONS',
  'server/web/connections.ts groups': 'MAX_CONNECTIONS',
  'server/web/connections.ts idle': 'MAX_CONNECTIONS',
  'server/web/handler.ts underWay': 'connections',
  'server/web/media.ts pictureSizes': 'LRU of PICTURE_SIZES_MAX',
  'server/web/media.ts reportedMissing': 'no more than 10,000 are added',
  'server/web/page-cache-entries.ts createLru': 'LRU of maxBytes',
  'server/web/page-cache.ts entryOf': 'weak: pages of the cache',
  'server/web/page-cache.ts renderings': 'places of the admission',
  'server/web/page-cache.ts spellings': 'cleared at SPELLINGS_MAX',
  'server/web/page-cache.ts underWay': 'places of the admission',
  'server/web/pages.ts #pending': 'encodings of a page',
  'server/web/static.ts bodies': 'encodings of a built file',
  'server/web/static.ts files': 'built files',
  'server/workers.ts timers': 'one per worker that ended',
  'src/api/client.ts createClient': '1,000 names of pages of other hosts (QUERIES_MAX of next-pages.ts)',
  'src/api/warnings.ts reported': 'no more than WARNINGS_MAX are added',
  'src/browser/adopt-styles.ts adopted': 'the sheets of the build',
  'src/browser/before-log-out.ts senders': 'one for each desk of the console',
  'src/browser/load-script.ts imports': 'built scripts',
  'src/browser/unsaved.ts questions': 'forms of a page in the browser',
  'src/middleware.ts lastShells': 'weak: one per host',
  'src/render/card-html.ts cache': 'LRU of CACHE_BYTES',
};

const COLLECTION = /^(?:Map|Set|WeakMap|WeakSet|LRUCache)$/;
/** Collections made by these functions outlive the call. Those of other functions do not. */
const FACTORY = /^(?:create|load|open|serve|start)[A-Z]/;

/**
 * Collections without an end of life in a file: those of a module, a class or a factory. Constants with content are
 * not listed.
 */
function listCollections(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node, owner: string, isLasting: boolean): void => {
    if (ts.isNewExpression(node) && COLLECTION.test(node.expression.getText()) && isLasting) {
      const isConstant = (node.arguments ?? []).length > 0 && !/Cache/.test(node.expression.getText());
      const isChanged = new RegExp(`\\b${owner.replace('#', '')}\\s*\\.\\s*(?:add|set)\\(`).test(text);
      if (!isConstant || isChanged) found.push(`${file} ${owner}`);
    }
    if (ts.isFunctionLike(node)) {
      const name = node.name?.getText() ?? '';
      const isMaker = ts.isConstructorDeclaration(node) || FACTORY.test(name);
      node.forEachChild((child) => visit(child, isMaker ? name : owner, isLasting && isMaker));
      return;
    }
    const isNamed = ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node);
    node.forEachChild((child) => visit(child, isNamed ? node.name.getText() : owner, isLasting));
  };
  visit(source, '', true);
  return found;
}

test('every collection that lives as long as the process is listed with its bound', () => {
  const files = ['server', 'src/api', 'src/browser', 'src/lib', 'src/render']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\/(?:migrations|operator)\//.test(file));
  const found = [...files, 'src/middleware.ts'].flatMap(listCollections);
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(BOUNDS).toSorted());
}, 60_000);
