export { CONTACT_CALLS, CONTACT_MESSAGES, serveContact } from './contact/routes.ts';
export { serveMessages } from './routes.ts';
