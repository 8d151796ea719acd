/**
 * Code of `~uilm/server`, which selects the language of a request. The localizer is part
 * of the runtime; parsing the header is only needed here.
 */
export const serverCode = `import { closestLanguage, defaultLanguage } from '~uilm'
export { createLocalizer } from '~uilm'

export const matchLanguage = (header) => {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => {
      const [code, ...rest] = part.trim().split(';')
      const quality = rest.map((one) => /^\\s*q=([\\d.]+)$/.exec(one)?.[1]).find(Boolean)
      return { code: code.trim(), quality: Number(quality ?? 1) }
    })
    .filter(({ code, quality }) => code !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { code } of wanted) {
    const found = closestLanguage(code)
    if (found) return found
  }
  return defaultLanguage
}
`
