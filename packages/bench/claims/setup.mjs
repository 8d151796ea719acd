import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  cacheFolder,
  hasTerminal,
  npmEnvironment,
  packPackages,
  run,
  startPlatform,
  startRegistry,
} from '@servicekit/testing/scaffold-environment'
import { copyScaffold, expectBuilt, setups } from '../lib/setup/projects.mjs'

/**
 * Set-up of a created and installed scaffold until its first page shows a typed message in
 * two languages and the type check passes: `npm create vite@latest` (React, TypeScript) with
 * ours and with Paraglide's `init`, `create-next-app --empty` with ours and by next-intl's
 * documentation. Counted are the commands, without those that create the scaffold, and the
 * files edited by hand; a script makes these edits in no time. Pressing keys takes no time
 * either.
 *
 * A first set-up, whose build is checked for the texts in both languages, fills npm's cache,
 * which the timed rounds prefer to the registry. The plugins that
 * Paraglide loads from a CDN are read from the disk, and ours fetches the translations of
 * all six languages from a platform on this machine. Ours also shows a typed list, generates
 * typed data access, and commits the translations.
 */
const counts = [
  { figure: 'commands', unit: 'commands' },
  { figure: 'files', unit: 'files edited by hand' },
]
/** @param {string} scaffold @param {string} peer @param {number} maxRatio */
const claimsOf = (scaffold, peer, maxRatio) => {
  const of = { ours: `servicekit ${scaffold}`, peer, peerName: peer }
  return [
    ...counts.map(({ figure, unit }) => ({
      claim: `setup-${scaffold}-${figure}`,
      figure,
      unit,
      ...of,
      goal: { max: figure === 'commands' ? 1 : 0 },
    })),
    { claim: `setup-${scaffold}`, figure: 'seconds', unit: 's', ...of, goal: { maxRatio } },
  ]
}

/**
 * @param {'vite' | 'next'} wanted scaffold
 * @param {string} peer
 * @param {number} maxRatio
 * @returns {import('../lib/claim.mjs').Bench}
 */
const createBench = (wanted, peer, maxRatio) => ({
  title: `set-up of a fresh ${wanted} scaffold, until a typed message is on its page in two languages`,
  claims: claimsOf(wanted, peer, maxRatio),
  rounds: 3,
  async prepare({ folder, progress, onEnd }) {
    if (!(await hasTerminal())) throw new Error('This bench requires `script` of util-linux')
    const home = folder()
    const packed = join(home, 'packed')
    mkdirSync(packed)
    await packPackages(packed)
    const registry = await startRegistry(packed)
    onEnd(registry.close)
    const platform = await startPlatform(home)
    onEnd(platform.stop)
    const cache = join(cacheFolder, 'npm')
    // npx would run the packages of an earlier run.
    rmSync(join(cache, '_npx'), { recursive: true, force: true })
    const env = npmEnvironment({ registry: registry.url, cache })
    /** @param {string} line @param {string} cwd */
    const execute = async (line, cwd) => {
      const [command = '', ...args] = line.split(' ')
      const { code, output } = await run(command, args, { cwd, env })
      if (code !== 0) throw new Error(output)
    }
    progress('creating the scaffolds')
    const cdn = join(home, 'cdn')
    mkdirSync(cdn)
    await execute(`npm install ${cdnPlugins.join(' ')}`, cdn)
    const machine = { registry: registry.url, cache, cdn, service: platform.service }
    /** @type {Record<string, (round: number) => Promise<import('../lib/claim.mjs').Sample>>} */
    const contenders = {}
    for (const { scaffold, name, setup, folder: output, texts } of contenderList) {
      if (scaffold !== wanted) continue
      const created = join(home, scaffold)
      if (name.startsWith('servicekit')) {
        mkdirSync(created)
        await execute(createdBy[scaffold], created)
        await execute('npm install', join(created, 'app'))
      }
      progress(`first set-up with ${name}`)
      const first = join(home, `first ${name}`.replaceAll(' ', '-'))
      copyScaffold(join(created, 'app'), first)
      await setups[setup](first, machine, false)
      await expectBuilt(first, machine, { folder: output, texts })
      contenders[name] = async () => {
        const app = join(folder(), 'app')
        copyScaffold(join(created, 'app'), app)
        const { seconds, commands, files } = await setups[setup](app, machine, false)
        return { seconds, commands, files }
      }
    }
    return contenders
  },
})

const cdnPlugins = ['@inlang/plugin-message-format', '@inlang/plugin-m-function-matcher']

const createdBy = {
  vite: 'npm create -y vite@latest app -- --template react-ts --no-interactive',
  next: 'npx -y create-next-app@latest app --empty --ts --app --no-eslint --no-tailwind --no-src-dir --skip-install --disable-git --yes',
}

/** Contenders; the first of each scaffold creates it. */
const contenderList = /** @type {const} */ ([
  {
    scaffold: 'vite',
    name: 'servicekit vite',
    setup: 'servicekit',
    folder: 'dist',
    texts: ['Our ceramics', 'Unsere Keramik'],
  },
  {
    scaffold: 'vite',
    name: 'paraglide',
    setup: 'paraglide',
    folder: 'dist',
    texts: ['Hello world', 'Guten Tag'],
  },
  {
    scaffold: 'next',
    name: 'servicekit next',
    setup: 'servicekit',
    folder: '.next/server',
    texts: ['Our ceramics', 'Unsere Keramik'],
  },
  {
    scaffold: 'next',
    name: 'next-intl',
    setup: 'next-intl',
    folder: '.next/server',
    texts: ['Hello world!', 'Hallo Welt!'],
  },
])

export const bench = createBench('vite', 'paraglide', 1)
export const nextBench = createBench('next', 'next-intl', 2)
