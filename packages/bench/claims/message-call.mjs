import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { runContender } from '../lib/run-contender.mjs'
import { versionOf } from '../lib/peers.mjs'
import { writeInlangProject, writeSnapshot } from '../lib/projects.mjs'
import { generateCatalog } from '../lib/generate-catalog.mjs'

/**
 * Ten messages called in turn from one function, as a page that renders again does, bundled
 * by esbuild. The peer runs twice: by default, where a strategy looks up the language on
 * each call (the cheapest strategy, a global variable); and with `overwriteGetLocale`,
 * which sets a function that returns the language, so that the engine can inline
 * everything. With parameters the second form is as fast as ours, so the goal is one half.
 */
const calls = 20_000_000
const name = `paraglide ${versionOf('@inlang/paraglide-js')}`
const base = { unit: 'M ops/s', ours: 'servicekit', peer: 'paraglide', peerName: name }
const fixed = { ...base, peer: 'paraglide fixed', peerName: `${name} with overwriteGetLocale` }

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  title: 'calls of a compiled message',
  claims: [
    { claim: 'message-call', figure: 'plain', ...base, goal: { minRatio: 1 } },
    { claim: 'message-call-param', figure: 'param', ...base, goal: { minRatio: 1 } },
    { claim: 'message-call-fixed', figure: 'plain', ...fixed, goal: { minRatio: 1 } },
    { claim: 'message-call-param-fixed', figure: 'param', ...fixed, goal: { minRatio: 0.5 } },
  ],
  async prepare({ folder, progress }) {
    const catalog = generateCatalog({ keys: 200, languages: 5, modules: 1 })
    const plain = catalog.messages.filter(({ params }) => params.length === 0).slice(0, 10)
    const param = catalog.messages.filter(({ params }) => params.length === 1).slice(0, 10)
    const root = folder()
    progress('compiling the messages')
    await writeSnapshot(root, catalog)
    const project = await writeInlangProject(root, catalog)
    const paraglide = join(root, 'paraglide')
    await runContender('servicekit-compile', { root, outDir: join(root, 'servicekit') })
    await runContender('paraglide-compile', { project, outdir: paraglide })

    const [module = ''] = catalog.modules
    /** @param {string} name @param {string} head @param {(key: string) => string} callee */
    const bundle = async (name, head, callee) => {
      const entry = join(root, `${name}.mjs`)
      await writeFile(entry, `${head}\n${loops(plain, param, callee)}`)
      const outfile = join(root, `${name}-bundle.mjs`)
      await build({
        entryPoints: [entry],
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'node',
        logLevel: 'error',
      })
      return outfile
    }
    const fromParaglide = `import { m } from './paraglide/messages.js'`
    const bundles = {
      servicekit: await bundle(
        'servicekit',
        `import { ${[...plain, ...param].map(({ key }) => key).join(', ')} } from './servicekit/${module}.js'`,
        (key) => key,
      ),
      paraglide: await bundle('paraglide', fromParaglide, (key) => `m.${key}`),
      fixed: await bundle(
        'fixed',
        `${fromParaglide}\nimport { overwriteGetLocale } from './paraglide/runtime.js'\n` +
          `overwriteGetLocale(() => '${catalog.languages[0]}')`,
        (key) => `m.${key}`,
      ),
    }
    /** @type {string | undefined} */
    let expected
    /** @param {string} file */
    const contender = (file) => async () => {
      const plain = await runContender('message-call', { bundle: file, loop: 'runPlain', calls })
      const param = await runContender('message-call', { bundle: file, loop: 'runParam', calls })
      const actual = JSON.stringify([plain.result, param.result])
      if (actual !== (expected ??= actual)) throw new Error(`${file} returns other messages`)
      return { plain: calls / plain.seconds / 1e6, param: calls / param.seconds / 1e6 }
    }
    return {
      servicekit: contender(bundles.servicekit),
      paraglide: contender(bundles.paraglide),
      'paraglide fixed': contender(bundles.fixed),
    }
  },
}

/**
 * @param {readonly import('../lib/generate-catalog.mjs').GeneratedMessage[]} plain
 * @param {readonly import('../lib/generate-catalog.mjs').GeneratedMessage[]} param
 * @param {(key: string) => string} callee
 */
function loops(plain, param, callee) {
  /** @param {string} name @param {readonly string[]} expressions */
  const loop = (name, expressions) =>
    `export function ${name}(calls) {\n  let characters = 0\n` +
    `  for (let index = 0; index < calls; index += ${expressions.length}) {\n` +
    expressions.map((expression) => `    characters += ${expression}.length\n`).join('') +
    `  }\n  return characters\n}\n`
  return (
    loop(
      'runPlain',
      plain.map(({ key }) => `${callee(key)}()`),
    ) +
    loop(
      'runParam',
      param.map(({ key, params }) => `${callee(key)}({ ${params[0]}: index })`),
    )
  )
}
