import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false });

/**
 * Renders the operator's Markdown as HTML. Raw HTML stays text, and the result is sanitised as well: pages of another
 * host pass through here too.
 */
export function renderMarkdown(source: string): string {
  return sanitizeHtml(markdown.render(source), {
    allowedTags: [...sanitizeHtml.defaults.allowedTags, 'img', 'h2'],
    allowedAttributes: { a: ['href', 'title', 'rel'], img: ['src', 'alt', 'title'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    // The page's own heading is the only h1.
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener' }), h1: 'h2' },
  });
}
