import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  printClientPresetUsage,
  printServicekitChanges,
  printServicekitUsage,
} from '../lib/usage-programs.mjs'
import { prepareGenerators } from '../lib/generators.mjs'
import { versionOf } from '../lib/peers.mjs'
import { entitiesOf } from '../lib/schemas.mjs'
import { measureTypeCheck } from '../lib/type-check.mjs'

/**
 * Cost of generated operations for the type checker: a program that uses each of 2,000
 * operations once, and a program that uses one list and one insert, both checked by the
 * workspace's tsc. The peer runs twice, with its defaults and with `documentMode:
 * 'string'`, which is lighter. Ours also runs twice: `typecheck` uses the output `js`,
 * JavaScript with declarations, which the checker skips thanks to `skipLibCheck`;
 * `typecheck-ts` uses the default output, TypeScript sources, which have `@ts-nocheck`.
 * Instantiations are those of the latter.
 *
 * `typecheck-changes` compares a program that also uses an update and a delete by ItemId of each
 * schema with one of lists and inserts, of modules that have no more.
 *
 * `typecheck-conditions` deletes by a condition instead. Its peer is the same program with
 * signatures that accept an empty condition, which would match every record: the price of the
 * type error for it.
 */
const name = `client-preset ${versionOf('@graphql-codegen/client-preset')}`
const base = { ours: 'servicekit js', peer: 'client-preset', peerName: name }
const string = { ...base, peer: 'client-preset string', peerName: `${name}, documentMode string` }
const sources = { ...base, ours: 'servicekit' }
const perOperation = { figure: 'perOperation', unit: 'instantiations' }
const allSeconds = { figure: 'allSeconds', unit: 's' }
const oneSeconds = { figure: 'oneSeconds', unit: 's' }
const oneInstantiations = { figure: 'one', unit: 'instantiations' }
const entities = 1000
/** @param {string} output */
const changes = (output) => ({
  ours: `changes${output}`,
  peer: `inserts${output}`,
  peerName: 'lists and inserts only',
})

const conditions = {
  ours: 'conditions',
  peer: 'unchecked conditions',
  peerName: 'signatures that accept an empty condition',
}

/**
 * Copies generated modules, with changes whose condition may be empty.
 *
 * @param {string} from
 * @param {string} to
 */
function copyUnchecked(from, to) {
  cpSync(from, to, { recursive: true })
  const file = join(to, 'gateway-mutations.ts')
  const text = readFileSync(file, 'utf8')
  const unchecked = text.replace(
    /<K extends keyof C>\(\s*gateway: GatewayIf<K>,\s*where: GatewayFields<C, K>,/g,
    '(gateway: Gateway, where: C,',
  )
  if (unchecked === text) throw new Error(`${file} has no signature of a condition`)
  writeFileSync(file, unchecked)
}

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'type check of generated operations: 1,000 schemas, each operation used once',
  claims: [
    { claim: 'typecheck', ...allSeconds, ...base, goal: { maxRatio: 0.6 } },
    { claim: 'typecheck-string', ...allSeconds, ...string, goal: { maxRatio: 1 } },
    { claim: 'typecheck-ts', ...allSeconds, ...sources, goal: { maxRatio: 1.25 } },
    { claim: 'typecheck-per-operation', ...perOperation, ...sources, goal: { max: 22 } },
    { claim: 'typecheck-per-operation-string', ...perOperation, ...string, goal: { maxRatio: 1 } },
    { claim: 'typecheck-changes', ...allSeconds, ...changes(' js'), goal: { maxRatio: 1.5 } },
    { claim: 'typecheck-changes-ts', ...allSeconds, ...changes(''), goal: { maxRatio: 1.5 } },
    { claim: 'typecheck-conditions', ...allSeconds, ...conditions, goal: { maxRatio: 1.3 } },
    { claim: 'typecheck-one', ...oneSeconds, ...sources, goal: { maxRatio: 0.05 } },
    { claim: 'typecheck-one-string', ...oneSeconds, ...string, goal: { maxRatio: 1 } },
    { claim: 'typecheck-one-instantiations', ...oneInstantiations, ...sources, goal: { max: 410 } },
  ],
  async prepare({ folder, progress }) {
    const root = folder()
    const generators = prepareGenerators(root, entities)
    progress('generating')
    await generators.servicekit(join(root, 'servicekit'))
    await generators.servicekit(join(root, 'servicekit-js'), 'js')
    await generators.clientPreset(join(root, 'preset'))
    await generators.clientPreset(join(root, 'preset-string'), { documentMode: 'string' })
    const inserts = prepareGenerators(join(root, 'inserts'), entities, ['insert'])
    await inserts.servicekit(join(root, 'inserts-only'))
    await inserts.servicekit(join(root, 'inserts-only-js'), 'js')
    copyUnchecked(join(root, 'servicekit'), join(root, 'unchecked'))
    const single = entitiesOf(generators.schemas).slice(0, 1)

    /** @param {string} name @param {(schemas: typeof generators.schemas) => string} print */
    const contender = (name, print) => {
      const [all, one] = [join(root, `${name}-all.ts`), join(root, `${name}-one.ts`)]
      writeFileSync(all, print(generators.schemas))
      writeFileSync(one, print(single))
      return async () => {
        const [ofAll, ofOne] = [await measureTypeCheck(all), await measureTypeCheck(one)]
        return {
          allSeconds: ofAll.checkSeconds,
          perOperation: ofAll.instantiations / (2 * entities),
          oneSeconds: ofOne.checkSeconds,
          one: ofOne.instantiations,
        }
      }
    }
    /** @param {string} name @param {string} text */
    const whole = (name, text) => {
      const file = join(root, `${name}.ts`)
      writeFileSync(file, text)
      return async () => ({ allSeconds: (await measureTypeCheck(file)).checkSeconds })
    }
    /** @param {string} folder @param {string} where */
    const changesOf = (folder, where) =>
      printServicekitChanges(generators.schemas, `./${folder}`, where)
    const condition = `{ ItemId: { eq: 'a' } }`
    return {
      changes: whole('changes', changesOf('servicekit', `'a'`)),
      'changes js': whole('changes-js', changesOf('servicekit-js', `'a'`)),
      conditions: whole('conditions', changesOf('servicekit', condition)),
      'unchecked conditions': whole('unchecked-conditions', changesOf('unchecked', condition)),
      inserts: whole('inserts', printServicekitUsage(inserts.schemas, './inserts-only')),
      'inserts js': whole('inserts-js', printServicekitUsage(inserts.schemas, './inserts-only-js')),
      servicekit: contender('servicekit', (schemas) =>
        printServicekitUsage(schemas, './servicekit'),
      ),
      'servicekit js': contender('servicekit-js', (schemas) =>
        printServicekitUsage(schemas, './servicekit-js'),
      ),
      'client-preset': contender('preset', (schemas) =>
        printClientPresetUsage(schemas, './preset/graphql', 'node'),
      ),
      'client-preset string': contender('preset-string', (schemas) =>
        printClientPresetUsage(schemas, './preset-string/graphql', 'string'),
      ),
    }
  },
}
