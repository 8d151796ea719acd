/**
 * `~uilm/server`: how a request gets its language. The localizer is part of the
 * runtime, which knows the texts; what a header means is only of use here.
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
