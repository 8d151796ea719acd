import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { emitDeclarations } from '@servicekit/catalog'
import { isDeep } from '@servicekit/testing/is-deep'
import { describe, expect, it } from 'vitest'
import { modelFrom, writeApp } from './project.ts'

const app = fileURLToPath(new URL('../../../fixtures/apps/sveltekit', import.meta.url))
const run = promisify(execFile)

const head = `<script lang="ts">
  import Markup from '@servicekit/unplugin/Markup.svelte'
  import { TERMS, WELCOME } from '~uilm/legal'
</script>
`
const link = '{#snippet link(children)}<a href="/x">{@render children()}</a>{/snippet}'

describe.runIf(isDeep)('the component of Svelte', () => {
  it('requires a snippet for each tag, and the other arguments', { timeout: 120_000 }, async () => {
    const root = join(app, '.servicekit/markup-types')
    const model = modelFrom(
      { 'en-US/legal': { TERMS: '<link>a</link>', WELCOME: '{{name}} <link>b</link><br/>' } },
      { markup: { framework: 'svelte', selfClosing: true } },
    )
    const paths = { outDir: join(root, '.servicekit'), snapshotDir: join(root, 'uilm') }
    await writeApp(
      root,
      Object.fromEntries(
        emitDeclarations(model, paths).map(({ path, text }) => [path.slice(root.length + 1), text]),
      ),
    )
    await writeApp(root, {
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          target: 'es2022',
          module: 'esnext',
          moduleResolution: 'bundler',
          verbatimModuleSyntax: true,
          skipLibCheck: true,
          types: [],
        },
        include: ['*.svelte', '.servicekit/types'],
      }),
      'Right.svelte': `${head}<Markup message={TERMS}>${link}</Markup>
<Markup message={WELCOME} args={{ name: 'Ada' }}>${link}{#snippet br()}<br />{/snippet}</Markup>
`,
      'NoSnippet.svelte': `${head}<Markup message={TERMS} />\n`,
      'OtherSnippet.svelte': `${head}<Markup message={TERMS}>{#snippet other()}x{/snippet}</Markup>\n`,
      'NoArguments.svelte': `${head}<Markup message={WELCOME}>${link}{#snippet br()}<br />{/snippet}</Markup>\n`,
    })
    const svelteCheck = join(app, 'node_modules/svelte-check/bin/svelte-check')
    const args = ['--workspace', root, '--tsconfig', './tsconfig.json', '--output', 'machine']
    const { stdout } = await run(process.execPath, [svelteCheck, ...args], { cwd: app }).catch(
      (error: { stdout: string }) => error,
    )
    await rm(root, { recursive: true, force: true })
    const wrong = [...stdout.matchAll(/ERROR "([^"]+)"/g)].map(([, file]) => file)
    expect([...new Set(wrong)].sort(), stdout).toEqual([
      'NoArguments.svelte',
      'NoSnippet.svelte',
      'OtherSnippet.svelte',
    ])
  })
})
