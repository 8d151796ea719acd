import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emitProgram, openProject, writeFiles } from '@servicekit/catalog'
import { versionOf } from '../lib/peers.mjs'
import { writeSnapshot } from '../lib/projects.mjs'
import { generateCatalog, printArgument } from '../lib/generate-catalog.mjs'
import { measureTypeCheck } from '../lib/type-check.mjs'

/**
 * Cost of typed keys for the type checker: a program that shows 300 messages, of 50,000
 * keys with ours and of 20,000 with i18next, which takes minutes for more. i18next gets an
 * interface with the translations as literal types, as its documentation recommends. All figures
 * are differences from an empty program, whose check takes almost no time. Types are those
 * of a program with 20 calls, since the arguments of a call are types as well.
 */
const i18next = 'i18next 20,000'
const ours = { ours: 'servicekit 50,000', peer: i18next }
const peer = { ...ours, peerName: `i18next ${versionOf('i18next')}, 20,000 keys` }
const calls = 300

/** @typedef {import('../lib/generate-catalog.mjs').GeneratedMessage} Message */

/** @param {Message} message */
const argumentOf = (message) => printArgument(message, (param) => (param === 'count' ? '1' : `'x'`))

/**
 * Selects messages evenly from all modules.
 *
 * @param {readonly Message[]} messages
 * @param {number} count
 */
const select = (messages, count) =>
  messages.filter((_, index) => index % Math.floor(messages.length / count) === 0)

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: `type check of ${calls} calls, with 50,000 keys; i18next with 20,000`,
  claims: [
    { claim: 'typecheck-keys', figure: 'seconds', unit: 's', ...peer, goal: { maxRatio: 0.05 } },
    { claim: 'typecheck-keys-types', figure: 'types', unit: 'types', ...peer, goal: { max: 200 } },
    {
      claim: 'typecheck-keys-instantiations',
      figure: 'instantiations',
      unit: 'instantiations',
      ...peer,
      // None per key, and at most one per call.
      goal: { max: calls },
    },
  ],
  async prepare({ folder, progress }) {
    const root = folder()
    const empty = join(root, 'empty.ts')
    writeFileSync(empty, 'export {}\n')
    const none = await measureTypeCheck(empty)
    /** @param {{ all: string, few: string }} programs */
    const measure =
      ({ all, few }) =>
      async () => {
        const [ofAll, ofFew] = [await measureTypeCheck(all), await measureTypeCheck(few)]
        return {
          seconds: Math.max(0, ofAll.checkSeconds - none.checkSeconds),
          types: ofFew.types - none.types,
          instantiations: ofAll.instantiations - none.instantiations,
        }
      }
    progress('writing the projects')
    return {
      [ours.ours]: measure(await writeOurs(join(root, 'servicekit'))),
      [i18next]: measure(writeI18next(join(root, 'i18next'))),
    }
  },
}

/** @param {string} root */
async function writeOurs(root) {
  const catalog = generateCatalog({ keys: 50_000, languages: 2, modules: 20 })
  mkdirSync(root)
  await writeSnapshot(root, catalog)
  const model = await openProject({ root }, { environment: {} }).load()
  await writeFiles(emitProgram(model, { outDir: join(root, 'messages'), storageKey: 'language' }))
  return writePrograms(root, catalog.messages, (used) => {
    const imports = catalog.modules.map((module, index) => {
      const names = used.flatMap((one) =>
        one.module === module ? `${one.key} as _${index}_${one.key}` : [],
      )
      return `import { ${names.join(', ')} } from './messages/${module}.js'\n`
    })
    const uses = used.map(
      (one) => `  _${catalog.modules.indexOf(one.module)}_${one.key}(${argumentOf(one)}),\n`,
    )
    return `${imports.join('')}export const shown: string[] = [\n${uses.join('')}]\n`
  })
}

/** @param {string} root */
function writeI18next(root) {
  const catalog = generateCatalog({ keys: 20_000, languages: 2, modules: 20 })
  const language = catalog.languages[0] ?? ''
  mkdirSync(root)
  const modules = catalog.modules.map((module) => {
    const members = catalog.messages.flatMap((one) =>
      one.module === module
        ? `      ${one.key}: ${JSON.stringify(one.translations[language])}\n`
        : [],
    )
    return `    ${module}: {\n${members.join('')}    }\n`
  })
  writeFileSync(
    join(root, 'i18next.d.ts'),
    `import 'i18next'
declare module 'i18next' {
  interface CustomTypeOptions { defaultNS: '${catalog.modules[0]}'; resources: {
${modules.join('')}  } }
}
`,
  )
  return writePrograms(root, catalog.messages, (used) => {
    const uses = used.map(
      (one) =>
        `  i18next.t(${[`'${one.module}:${one.key}'`, argumentOf(one)].filter(Boolean).join(', ')}),\n`,
    )
    return `/// <reference path="./i18next.d.ts" />
import i18next from 'i18next'
export const shown: string[] = [\n${uses.join('')}]\n`
  })
}

/**
 * Writes a program with all calls, and one with 20.
 *
 * @param {string} root
 * @param {readonly Message[]} messages
 * @param {(used: readonly Message[]) => string} print
 */
function writePrograms(root, messages, print) {
  const files = { all: join(root, 'all.ts'), few: join(root, 'few.ts') }
  writeFileSync(files.all, print(select(messages, calls)))
  writeFileSync(files.few, print(select(messages, 20)))
  return files
}
