import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { slugify } from '../.vitepress/slugify.mjs'
import { codeBlocks } from '../generate/code-blocks.mjs'
import { filledPages } from '../generate/fill-pages.mjs'
import { resultParts } from '../generate/results.mjs'
import { referencePages } from '../generate/write-reference.mjs'
import { root, toolScript } from '../../packages/workspace/lib/root.mjs'
import { runNode } from '../../packages/workspace/lib/run.mjs'

const docs = join(root, 'docs')
const forContributors = new Set(['architecture.md', 'dependencies.md'])

/** Pages of the site by path. @type {Map<string, string>} */
const pages = new Map()

beforeAll(() => {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
    cwd: docs,
  })
  for (const path of listed.toString().trim().split('\n')) {
    if (!forContributors.has(path)) pages.set(path, readFileSync(join(docs, path), 'utf8'))
  }
})

it('has the copies and the reference that `npm run docs` writes', async () => {
  const written = new Map([...filledPages(), ...(await referencePages())])
  expect(written.size).toBeGreaterThan(25)
  const stale = [...written].filter(([path, text]) => pages.get(path) !== text)
  expect(stale.map(([path]) => path)).toEqual([])
})

/** Anchors of a page. @param {string} page */
function anchorsOf(page) {
  const text = page.replaceAll(/^```[\s\S]*?^```$/gm, '')
  /** @type {Map<string, number>} */
  const seen = new Map()
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const slug = slugify(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}

it('has no link to a page, a file or a section that does not exist', () => {
  const dead = [...pages].flatMap(([path, page]) => {
    const text = page.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]+`/g, '')
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    return links
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => isDead(path, target))
      .map((target) => `${path}: ${target}`)
  })
  expect(pages.size).toBeGreaterThan(30)
  expect(dead).toEqual([])
})

it('has the date and a table of each measurement', () => {
  const { about = '', ...parts } = resultParts()
  expect(about).toMatch(/^Measured on \d{4}-\d\d-\d\d with Node .*\.$/m)
  expect(Object.keys(parts).length).toBeGreaterThan(10)
  for (const part of Object.values(parts)) expect(part).toMatch(/^\| .* \|$/m)
})

/** @param {string} from @param {string} target */
function isDead(from, target) {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? from : posix.join(posix.dirname(from), file)
  // TypeDoc writes these; a build of the site checks them.
  if (path.startsWith('reference/client/')) return false
  if (/\.(?:png|svg)$/.test(path)) return !existsSync(join(docs, path))
  const page = pages.get(path)
  return page === undefined || (anchor !== undefined && !anchorsOf(page).includes(anchor))
}

describe('code blocks', () => {
  /** @returns {(import('../generate/code-blocks.d.mts').CodeBlock & { place: string })[]} */
  const blocks = () =>
    [...pages]
      .filter(([path]) => !path.startsWith('reference/') && path !== 'interface.md')
      .flatMap(([path, page]) =>
        codeBlocks(page).map((block) => ({ ...block, place: `${path}:${block.line}` })),
      )
  /** @param {readonly string[]} languages */
  const checked = (...languages) =>
    blocks().filter(({ language, unchecked }) => !unchecked && languages.includes(language))

  it('are in a language that a test reads, but for a few that give a reason', () => {
    const read = new Set(['ts', 'tsx', 'js', 'json', 'sh', 'bash', 'yaml', 'html', 'text'])
    // The tests of two operations pages give these to the programs that read them.
    for (const one of ['ini', 'systemd', 'caddyfile', 'nginx', 'txt']) read.add(one)
    const unknown = blocks().filter(({ language, unchecked }) => !unchecked && !read.has(language))
    expect(unknown.map(({ place, language }) => `${place} ${language}`)).toEqual([])
    expect(blocks().filter(({ unchecked }) => unchecked).length).toBeLessThanOrEqual(12)
    expect(blocks().length).toBeGreaterThan(50)
  })

  it('of JSON are valid', () => {
    const wrong = checked('json').filter(({ text }) => !isJson(text))
    expect(wrong.map(({ place }) => place)).toEqual([])
  })

  it('of HTML have valid scripts and import maps', () => {
    const scripts = checked('html').flatMap(({ place, text }) =>
      [...text.matchAll(/<script type="(\w+)">([\s\S]*?)<\/script>/g)].map(
        ([, type, code = '']) => ({ place, type, code }),
      ),
    )
    expect(scripts.length).toBeGreaterThan(1)
    const wrong = scripts.filter(({ type, code }) =>
      type === 'importmap' ? !isJson(code) : syntaxErrors(code).length > 0,
    )
    expect(wrong).toEqual([])
  })

  it('of JavaScript have no syntax errors', () => {
    for (const { place, text } of checked('js')) expect(syntaxErrors(text), place).toEqual([])
  })

  it('of the shell use commands and flags that exist', () => {
    const lines = checked('sh', 'bash', 'yaml').flatMap(({ place, language, text }) =>
      text
        .replaceAll(/\\\n\s*/g, '')
        .split('\n')
        .map((line) => (language === 'yaml' ? (/\brun: (.+)/.exec(line)?.[1] ?? '') : line))
        .map((line) => ({ place, line: line.replace(/\s+#.*/, '').trim() })),
    )
    const wrong = lines.filter(({ line }) => line !== '' && !isKnownCommand(line))
    expect(wrong).toEqual([])
    expect(lines.filter(({ line }) => line.startsWith('npx servicekit ')).length).toBeGreaterThan(
      20,
    )
  })

  it('of TypeScript compile against the packages and the sample project', async () => {
    const folder = join(docs, '.generated/blocks')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const program = join(root, 'packages/cli/bin/servicekit.js')
    const project = join(root, 'fixtures/projects/storefront')
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
    const gateway = {
      queryOptions: '@tanstack/react-query',
      validators: true,
      labels: true,
      lookups: true,
      factories: true,
    }
    writeFileSync(
      join(folder, 'servicekit.config.json'),
      JSON.stringify({ localization: { markup: 'react' }, gateway }),
    )
    cpSync(join(project, 'uilm'), join(folder, 'translations'), { recursive: true })
    writeFileSync(
      join(folder, 'translations/en-US/legal.json'),
      JSON.stringify({ TERMS: 'By signing up you accept our <link>terms</link>.' }),
    )
    for (const args of [
      ['pull', '--no-frozen', '--from', 'translations'],
      ['codegen', '--listing', join(project, 'schemas.json'), '--out', 'gateway'],
    ]) {
      const { code, output } = await runNode([program, ...args, '--root', folder], { cwd: folder })
      expect(code, output).toBe(0)
    }
    const examples = checked('ts', 'tsx')
    expect(examples.length).toBeGreaterThan(20)
    for (const { place, language, text } of examples) {
      const name = place.replace(/\.md:(\d+)$/, '-$1').replaceAll('/', '-')
      // Each block is a module, also without imports. It may be in any folder of an application.
      const code = text
        .replaceAll(/^\/\/\/ <reference.*/gm, '')
        .replaceAll(/'\.\/gateway\//g, "'./gateway/")
      writeFileSync(join(folder, `${name}.${language}`), `${code}\nexport {}\n`)
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(blockConfig))
    const tsc = toolScript('typescript-7', { command: 'tsc' })
    const { code, output } = await runNode([tsc, '-p', folder], { cwd: folder })
    expect(code, output).toBe(0)
  })
})

const blockConfig = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
    module: 'preserve',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  include: ['*.ts', '*.tsx', '.servicekit/types/index.d.ts'],
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** @param {string} code */
const syntaxErrors = (code) =>
  (
    ts.transpileModule(code, { reportDiagnostics: true, fileName: 'block.jsx' }).diagnostics ?? []
  ).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))

/** Programs of others that pages mention. */
const tools =
  /^(?:npm (?:create|ci|install|uninstall|run|init|test)|npx (?:sv|create-next-app@latest|@angular\/cli@latest)|cd|cp|mkdir|export|curl|deno run|git|docker|kubectl|openssl|createuser|createdb|pg_dump|pg_restore|sh create-secrets\.sh|apt install|useradd|chown|install|umask|echo|sudo -u postgres|systemctl|systemd-run) /

/** @param {string} line */
function isKnownCommand(line) {
  const [, name, rest = ''] = /^npx servicekit (\S+)(.*)$/.exec(line) ?? []
  if (name === undefined) return tools.test(`${line} `)
  const [, section] = (pages.get('reference/cli.md') ?? '').split(`\n## servicekit ${name}\n`)
  const own = section?.split('\n## ')[0]
  const flags = [...rest.matchAll(/ (--[\w-]+)/g)].map(([, flag = '']) =>
    flag.replace('--no-', '--'),
  )
  return own !== undefined && flags.every((flag) => own.includes(flag))
}
