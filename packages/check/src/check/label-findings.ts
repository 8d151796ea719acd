import { relative, resolve, sep } from 'node:path'
import { type Model, readText } from '@servicekit/catalog'
import { parseJson } from '@servicekit/core'
import type { UnratedFinding } from './catalog-findings.ts'

/** Module of the translations that contains the labels of schemas and fields. */
const labelsModule = 'labels'

/**
 * Returns the keys of a file that `servicekit codegen --labels` wrote and that the translations
 * lack. Without the file there are none.
 */
export async function labelFindings(
  model: Model,
  root: string,
  path: string,
): Promise<readonly UnratedFinding[]> {
  const text = await readText(resolve(root, path))
  if (text === undefined) return []
  const known = new Set(
    model.modules.flatMap(({ name, messages }) =>
      name === labelsModule ? messages.map(({ key }) => key) : [],
    ),
  )
  const lines = text.split('\n')
  const file = relative(root, resolve(root, path)).split(sep).join('/')
  return Object.entries((parseJson(text) ?? {}) as Record<string, string>).flatMap(
    ([key, label]): UnratedFinding[] => {
      if (known.has(key)) return []
      const line = lines.findIndex((one) => one.includes(`${JSON.stringify(key)}:`)) + 1
      const message = `does not exist in the module ${labelsModule}; its text is ${JSON.stringify(label)}`
      return [{ rule: 'missing', message, module: labelsModule, key, file, line }]
    },
  )
}
