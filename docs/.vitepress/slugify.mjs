/**
 * Returns the anchor of a heading, as GitHub does: links work on both.
 *
 * @param {string} heading
 */
export const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
