import { escapeHtml } from '@servicekit/core'
import createDOMPurify from 'dompurify'
import { Marked } from 'marked'

const marked = new Marked({
  async: false,
  renderer: {
    // HTML in the text is shown as text.
    html: ({ text }) => escapeHtml(text),
    // The policy of the pages allows no images of other origins.
    image: ({ text }) => escapeHtml(text),
  },
})

const purifier = createDOMPurify(window)
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noreferrer')
})

/** Elements that Markdown itself produces. */
const allowed =
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code a ul ol li strong em del table thead tbody tr th td'

/** Returns an attachment that replaces the content of an element by sanitized Markdown. */
export const renderMarkdown =
  (markdown: string) =>
  (element: HTMLElement): void => {
    const html = marked.parse(markdown) as string
    const fragment = purifier.sanitize(html, {
      ALLOWED_TAGS: allowed.split(' '),
      ALLOWED_ATTR: ['href', 'start'],
      ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i,
      RETURN_DOM_FRAGMENT: true,
    })
    element.replaceChildren(fragment)
  }
