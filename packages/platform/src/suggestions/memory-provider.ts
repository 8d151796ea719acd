import { sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import { isWritten } from '../localization/list-keys.ts'
import { lru } from '../common/lru.ts'
import type { Project } from '../projects/project-directory.ts'
import { baseOf } from './context.ts'
import { type Match, type Memory, memoryOf, type Pair } from './memory.ts'
import { withPlaceholdersOf } from './placeholders.ts'
import { primedPairs } from './primed.ts'
import type { Proposal, SuggestionProvider } from './provider.ts'

/** Maximum number of text pairs in each cache of indexes. */
const capacity = 200_000

/**
 * Maximum length of a text to look up, in characters: longer ones have no match and are
 * slow to compare.
 */
const longest = 5000

/** Returns the minimum similarity: 0.95 at temperature 0, decreasing to 0.6 at 1. */
const minScoreOf = (temperature: number): number => 0.95 - 0.35 * temperature

/**
 * Creates a translation memory: suggests existing translations of the same or a similar
 * text, from the project itself and from open-source programs. It uses no network and
 * invents nothing.
 */
export function memoryProvider(database: Database): SuggestionProvider {
  const projects = lru<{ readonly memory: Memory; readonly size: number }>(
    capacity,
    ({ size }) => size,
  )
  const primed = lru<{ readonly memory: Memory; readonly size: number }>(
    capacity,
    ({ size }) => size,
  )
  const indexed = async (
    cache: typeof projects,
    key: string,
    read: () => Promise<readonly Pair[]>,
  ): Promise<Memory> => {
    const known = cache.get(key)
    if (known) return known.memory
    const pairs = await read()
    const memory = memoryOf(pairs)
    cache.set(key, { memory, size: pairs.length + 1 })
    return memory
  }
  return {
    name: 'memory',
    propose: async (request, project) => {
      const { sourceText, currentLanguage, destinationLanguage, temperature } = request
      if (sourceText.length > longest) return []
      const languages = JSON.stringify([currentLanguage, destinationLanguage])
      const own = await indexed(
        projects,
        `${project.id} ${project.textsVersion} ${languages}`,
        () => readPairs(database, project, currentLanguage, destinationLanguage),
      )
      const others = await indexed(primed, languages, () =>
        primedPairs(baseOf(currentLanguage), destinationLanguage),
      )
      const minScore = minScoreOf(temperature)
      const matches = [...own.find(sourceText, minScore), ...others.find(sourceText, minScore)]
      return proposalsOf(sourceText, matches)
    },
  }
}

/** Groups matches by proposed translation, best first; other translations become alternatives. */
function proposalsOf(text: string, matches: readonly Match[]): readonly Proposal[] {
  const fitted = matches
    .map((match) => ({ ...match, target: withPlaceholdersOf(text, match.source, match.target) }))
    .filter((match): match is Match => match.target !== undefined)
    .map((match) => ({ ...match, target: likeCase(text, match.source, match.target) }))
    .sort((a, b) => b.score - a.score)
  const byTarget = new Map<string, Match>()
  for (const match of fitted) if (!byTarget.has(match.target)) byTarget.set(match.target, match)
  const different = [...byTarget.values()]
  return different.map((match) => ({
    translation: match.target,
    confidence: match.score,
    explanation:
      match.score === 1
        ? `People translated this text so: ${match.origin}.`
        : `People translated “${match.source}” so: ${match.origin}.`,
    alternatives: different
      .filter((other) => other !== match && other.source === match.source)
      .map(({ target }) => target),
  }))
}

/** Translates a text in capitals to capitals. */
function likeCase(text: string, source: string, target: string): string {
  const isUpper = (one: string): boolean => one !== one.toLowerCase() && one === one.toUpperCase()
  const isWanted = isUpper(text) && !isUpper(source) && !/[{}<>%]/.test(target)
  return isWanted ? target.toUpperCase() : target
}

/** Reads the messages that the project has in both languages. */
function readPairs(
  database: Database,
  project: Project,
  from: string,
  to: string,
): Promise<readonly Pair[]> {
  return database.scoped(
    project.id,
    async (tables) => {
      const source = await languageId(tables, from)
      const target = await languageId(tables, to)
      if (source === undefined || target === undefined) return []
      const { rows } = await tables.execute<{ source: string; target: string; origin: string }>(sql`
        select a.value as source, b.value as target, m.name || ' / ' || k.key as origin
        from servicekit.texts a
        join servicekit.texts b on b.module_id = a.module_id and b.key_id = a.key_id
        join servicekit.keys k on k.id = a.key_id
        join servicekit.modules m on m.id = a.module_id
        where a.language_id = ${source}::int and b.language_id = ${target}::int
          and ${isWritten(sql`a.value`)} and ${isWritten(sql`b.value`)}
        order by m.position, k.key collate "C"`)
      return rows
    },
    { isReadOnly: true },
  )
}

/** Finds the language with that code, or else the first one with the same base language. */
async function languageId(tables: Tables, code: string): Promise<number | undefined> {
  const { rows } = await tables.execute<{ id: number }>(sql`
    select id from servicekit.languages
    where lower(code) = ${code.toLowerCase()} or split_part(lower(code), '-', 1) = ${baseOf(code)}
    order by lower(code) = ${code.toLowerCase()} desc, position limit 1`)
  return rows[0]?.id
}
