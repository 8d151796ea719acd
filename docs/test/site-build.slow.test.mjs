import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeReference } from '../generate/write-reference.mjs'
import { root, toolScript } from '../../packages/workspace/lib/root.mjs'
import { runNode } from '../../packages/workspace/lib/run.mjs'

const base = '/some/path/'

describe('the documentation site', () => {
  /** @type {string} */
  let folder
  /** HTML by path. @type {Map<string, string>} */
  let pages
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'servicekit-docs-'))
    await writeReference()
    const docs = join(root, 'docs')
    const vitepress = toolScript('vitepress', { from: docs })
    const args = ['build', '--base', base, '--outDir', folder]
    // It fails for a link to a page that does not exist.
    const { code, output } = await runNode([vitepress, ...args], { cwd: docs })
    expect(code, output).toBe(0)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    pages = new Map(
      files
        .filter((name) => name.endsWith('.html'))
        .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]),
    )
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('links only to sections that exist, below its base path', () => {
    expect(pages.size).toBeGreaterThan(60)
    const dead = [...pages].flatMap(([path, html]) =>
      [...html.matchAll(/<a [^>]*href="([^"]+)"/g)]
        .map(([, href = '']) => href)
        .filter((href) => !/^https?:/.test(href))
        .filter((href) => {
          const { pathname, hash } = new URL(href, `http://site${posix.join(base, path)}`)
          if (!pathname.startsWith(base)) return true
          const target = pages.get(pathname.slice(base.length).replace(/(^|\/)$/, '$1index.html'))
          const id = decodeURIComponent(hash.slice(1))
          return target === undefined || (id !== '' && !target.includes(` id="${id}"`))
        })
        .map((href) => `${path}: ${href}`),
    )
    expect(dead).toEqual([])
  })

  it('shows code and results instead of what the pages include', () => {
    const leftovers = [...pages].filter(([, html]) => /&lt;&lt;&lt; |@include/.test(html))
    expect(leftovers.map(([path]) => path)).toEqual([])
    expect(pages.get('comparison.html')).toContain('first-load-5')
    expect(pages.get('guides/plurals.html')).toContain('{{count}}')
  })

  it('has a list of its pages and their text for language models', () => {
    const list = readFileSync(join(folder, 'llms.txt'), 'utf8')
    const links = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
    expect(links.filter((path) => !pages.has(path))).toEqual([])
    expect(links.length).toBe(pages.size - 1) // 404.html
    const full = readFileSync(join(folder, 'llms-full.txt'), 'utf8')
    expect(full).toContain("import { uilm } from '@servicekit/unplugin/vite'")
    expect(full).not.toMatch(/^<<<|^<!--@include/m)
  })
})
