const hidden = '***'

/** Redacts recognizable tokens, passwords and URL credentials in a string. */
export const redactText = (text: string): string =>
  text
    .replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${hidden}`)
    .replaceAll(/(:\/\/)[^/\s:@]*:[^/\s@]*@/g, `$1${hidden}@`)
    .replaceAll(
      /\b((?:[\w-]*(?:password|secret|token|api[_-]?key))["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s"',;&}]+)/gi,
      `$1${hidden}`,
    )
