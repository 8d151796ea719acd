import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, toolScript } from '../../packages/workspace/lib/root.mjs'
import { runNode } from '../../packages/workspace/lib/run.mjs'

const client = join(root, 'packages/client')

it('has a comment on every public name of the client, with links that lead somewhere', async () => {
  const typedoc = toolScript('typedoc', { from: join(root, 'docs') })
  const args = ['--options', join(root, 'docs/typedoc.base.json'), '--emit', 'none']
  const { code, output } = await runNode([typedoc, ...args], { cwd: client })
  expect(code, output).toBe(0)
})

it('names the section of the interface in the comment of every function that sends an operation', () => {
  const declaration =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:async )?(?:function|const) (\w+)([\s\S]*?)(?=\n\/\*\*|\nexport |$)/g
  const found = readdirSync(join(client, 'src'))
    .filter((name) => name.endsWith('.ts') && !name.includes('.test'))
    .flatMap((name) => [...readFileSync(join(client, 'src', name), 'utf8').matchAll(declaration)])
    .filter(([, , , body]) => /\broutes\.\w+/.test(body ?? ''))
  expect(found.length).toBeGreaterThan(30)
  expect(
    found.filter(([, comment]) => !/\bsection \d/i.test(comment ?? '')).map(([, , name]) => name),
  ).toEqual([])
})
