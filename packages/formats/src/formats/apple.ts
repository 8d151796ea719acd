import { fileNameOf } from '@servicekit/core'
import { byModuleAndLanguage } from '../by-file.ts'
import type { OutputFile, WriteInput } from '../entry.ts'
import { groupTexts, type TextGroup } from '../plural-keys.ts'
import { printStrings } from './apple-strings.ts'
import { printStringsDict } from './stringsdict.ts'

/**
 * Writes a .strings file for each language and module, and a .stringsdict file beside it if there
 * are plural messages.
 *
 * @throws ServicekitError EMIT_FAILED for a plural with a character that XML cannot contain.
 */
export const writeApple = (input: WriteInput): readonly OutputFile[] =>
  byModuleAndLanguage(input).flatMap(({ module, language, texts, messages }) => {
    const groups = groupTexts(texts, [...messages.keys()])
    const isPlain = (group: TextGroup) => 'text' in group
    const [plain, plural] = [groups.filter(isPlain), groups.filter((group) => !isPlain(group))]
    const path = `${fileNameOf(language)}.lproj/${fileNameOf(module)}`
    const contextOf = (key: string) => messages.get(key)?.context
    return [
      ...(plain.length > 0
        ? [{ path: `${path}.strings`, content: printStrings(plain, contextOf) }]
        : []),
      ...(plural.length > 0
        ? [{ path: `${path}.stringsdict`, content: printStringsDict(plural, module, language) }]
        : []),
    ]
  })
