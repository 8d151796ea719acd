import { type SQL, sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import { isWritten } from '../localization/list-keys.ts'
import type { Project } from '../projects/project-directory.ts'
import { withPlaceholdersOf } from '@servicekit/core'
import { baseOf, type Proposal, type SuggestionProvider } from './provider.ts'
import { comparable, similarity } from './similarity.ts'

interface Pair {
  readonly source: string
  readonly target: string
  /** Message that has both, for example `auth / SIGN_IN`. */
  readonly origin: string
}

/** Pair that matches the requested text, with a score between 0 and 1. */
interface Match extends Pair {
  readonly score: number
}

/** Maximum length of similar texts in characters; longer ones are slow to compare. */
const maxLength = 1000
/** Score of a text that differs only in case, outer white space or final punctuation. */
const nearlySame = 0.98

/**
 * Creates a provider that suggests the project's own translations of the same or a similar
 * text. It uses no network.
 */
export function translationMemory(database: Database): SuggestionProvider {
  // Auto-translation requests the same languages thousands of times in a row.
  let latest: { readonly key: string; readonly pairs: Promise<readonly Pair[]> } | undefined
  return {
    name: 'memory',
    propose: async (request, project) => {
      const { sourceText, currentLanguage, destinationLanguage, temperature } = request
      const { id, textsVersion } = project
      const key = JSON.stringify([id, textsVersion, currentLanguage, destinationLanguage])
      if (latest?.key !== key) {
        const pairs = readPairs(database, project, currentLanguage, destinationLanguage)
        latest = { key, pairs }
        pairs.catch(() => (latest = undefined))
      }
      // The threshold is 0.95 at temperature 0 and decreases to 0.6 at 1.
      const matches = findMatches(await latest.pairs, sourceText, 0.95 - 0.35 * temperature)
      return proposalsOf(sourceText, matches)
    },
  }
}

function findMatches(pairs: readonly Pair[], text: string, minScore: number): readonly Match[] {
  const requested = text.length > maxLength ? '' : comparable(text)
  return pairs
    .map((pair) => {
      if (pair.source === text) return { ...pair, score: 1 }
      if (requested === '' || pair.source.length > maxLength) return { ...pair, score: 0 }
      const score = similarity(requested, comparable(pair.source), minScore)
      return { ...pair, score: Math.min(score, nearlySame) }
    })
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score)
}

/** Turns matches into proposals, best first; other translations of a source are alternatives. */
function proposalsOf(text: string, matches: readonly Match[]): readonly Proposal[] {
  const byTarget = new Map<string, Match>()
  for (const match of matches) {
    const target = withPlaceholdersOf(text, match.source, match.target)
    if (target !== undefined && !byTarget.has(target)) byTarget.set(target, { ...match, target })
  }
  const distinct = [...byTarget.values()]
  return distinct.map((match) => ({
    translation: match.target,
    confidence: match.score,
    explanation:
      match.score === 1
        ? `Translation of the same text in ${match.origin}.`
        : `Translation of “${match.source}” in ${match.origin}.`,
    alternatives: distinct
      .filter((other) => other !== match && other.source === match.source)
      .map(({ target }) => target),
  }))
}

const readPairs = (
  database: Database,
  project: Project,
  from: string,
  to: string,
): Promise<readonly Pair[]> =>
  database.scoped(
    project.id,
    async (tables: Tables) => {
      const { rows } = await tables.execute<Pair & Record<string, unknown>>(sql`
        select a.value as source, b.value as target, m.name || ' / ' || k.key as origin
        from servicekit.texts a
        join servicekit.texts b on b.module_id = a.module_id and b.key_id = a.key_id
        join servicekit.keys k on k.id = a.key_id
        join servicekit.modules m on m.id = a.module_id
        where a.language_id = ${languageId(from)} and b.language_id = ${languageId(to)}
          and ${isWritten(sql`a.value`)} and ${isWritten(sql`b.value`)}
        order by m.position, k.key collate "C"`)
      return rows
    },
    { isReadOnly: true },
  )

/** Selects the language with that code, or else the first one with the same base language. */
const languageId = (code: string): SQL => sql`(
  select id from servicekit.languages
  where lower(code) = ${code.toLowerCase()} or split_part(lower(code), '-', 1) = ${baseOf(code)}
  order by lower(code) = ${code.toLowerCase()} desc, position limit 1)`
