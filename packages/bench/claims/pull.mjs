import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPlatform } from '@servicekit/platform/node'
import { writePlatformProject } from '../lib/platform-project.mjs'
import { languageCodes } from '../lib/vocabulary.mjs'
import { runContender } from '../lib/run-contender.mjs'

/**
 * Pulls 4,000 small translation files over HTTP from a local platform to the snapshot. The peer
 * is curl, which writes the bodies of the same responses without checking them. Both send as many
 * requests at the same time.
 */
const modules = 200
const languages = 20
const keys = 12
const concurrency = 8
const projectKey = 'P00000000000000000000000000004000'

const run = promisify(execFile)

/** @type {import('../lib/claim.mjs').Bench} */
export const bench = {
  // Each pull takes half a minute.
  rounds: 2,
  title: `pull of ${(modules * languages).toLocaleString('en')} translation files`,
  claims: [
    {
      claim: 'pull',
      figure: 'seconds',
      unit: 's',
      ours: 'pull',
      peer: 'curl',
      peerName: 'curl --parallel',
      goal: { maxRatio: 2 },
    },
  ],
  async prepare({ folder, progress, onEnd }) {
    const project = folder()
    progress('writing the project')
    const codes = languageCodes.slice(0, languages)
    const names = Array.from({ length: modules }, (_, index) => `module-${index}`)
    writePlatformProject(project, {
      projectKey,
      languages: codes,
      modules: names,
      translationsOf: (code, name) =>
        Object.fromEntries(
          Array.from({ length: keys }, (_, index) => [
            `KEY_${index}`,
            `Translation ${index} of ${name} in ${code}, of common length`,
          ]),
        ),
    })
    progress('starting the platform')
    const platform = await startPlatform({ projectDir: project })
    onEnd(platform.close)
    const service = { baseUrl: platform.baseUrl, projectKey }
    return {
      pull: async () => {
        const { seconds, result } = await runContender('servicekit-pull', {
          root: folder(),
          ...service,
          again: false,
        })
        const { files } = /** @type {{ files: number }} */ (result)
        if (files !== modules * languages) throw new Error(`Pulled ${files} files`)
        return { seconds }
      },
      curl: async () => {
        const out = folder()
        const list = join(out, 'list')
        const address = `${platform.baseUrl}/localization/v4/Key/GetUilmFile`
        const entries = codes.flatMap((code) =>
          names.map((name) => {
            const query = new URLSearchParams({
              Language: code,
              ModuleName: name,
              ProjectKey: projectKey,
            })
            const file = join(out, code, `${name}.json`)
            return `url = "${address}?${query}"\noutput = "${file}"\n`
          }),
        )
        writeFileSync(list, entries.join(''))
        const args = ['--silent', '--fail', '--create-dirs', '--config', list]
        const parallel = ['--parallel', '--parallel-max', String(concurrency)]
        const start = performance.now()
        await run('curl', [...args, ...parallel, '--header', `x-service-key: ${projectKey}`])
        const seconds = (performance.now() - start) / 1000
        for (const code of codes) {
          for (const name of names) {
            const file = readFileSync(join(out, code, `${name}.json`), 'utf8')
            if (Object.keys(JSON.parse(file)).length !== keys) {
              throw new Error(`curl did not receive ${name} in ${code}`)
            }
          }
        }
        return { seconds }
      },
    }
  },
}
