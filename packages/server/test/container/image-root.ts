import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { copyFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { missingPackage } from '@servicekit/testing/debian-packages'
import { findRuntime } from '@servicekit/testing/runtimes'
import { type DockerInstruction, containerFolder, readStages } from './read-container.ts'

const run = promisify(execFile)

/**
 * Returns why no root file system can be made on this machine, or undefined if it can. With
 * CI=true on Debian as root, debootstrap is installed, and a missing program is an error.
 */
export async function imageRootFault(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  await missingPackage('debootstrap', '/usr/sbin/debootstrap')
  const programs = ['debootstrap', 'unshare', 'setpriv', 'mount']
  const isThere = (name: string) =>
    ['/usr/sbin', '/usr/bin', '/bin'].some((folder) => existsSync(join(folder, name)))
  const absent = programs.filter((name) => !isThere(name))
  if (absent.length > 0 && process.env['CI'] === 'true') throw new Error(`no ${absent.join(', ')}`)
  if (absent.length > 0) return `install ${absent.join(', ')}`
  return findRuntime('Node 22') ? undefined : 'no Node 22 on this machine'
}

type Variables = Readonly<Record<string, string>>

/** Makes the root file system of the first stage: Debian with Node, as in its base image. */
async function makeDebian(folder: string, suite: string): Promise<void> {
  // Its mounts end with its namespace.
  const debootstrap = ['--mount', 'debootstrap', '--variant=minbase', suite, folder]
  await run('unshare', [...debootstrap, ...(await mirror())], { maxBuffer: 1e8 })
  const { stdout: npm } = await run('npm', ['root', '--global'])
  const local = join(folder, 'usr/local')
  await copyFile(findRuntime('Node 22')!, join(local, 'bin/node'))
  await mkdir(join(local, 'lib/node_modules'), { recursive: true })
  await cp(join(npm.trim(), 'npm'), join(local, 'lib/node_modules/npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  // Files that the container runtime provides: name resolution, and the certificates of this network.
  const files = ['/etc/resolv.conf', '/etc/hosts', process.env['NODE_EXTRA_CA_CERTS'] ?? '']
  for (const file of files.filter((one) => one !== '' && existsSync(one))) {
    await mkdir(join(folder, dirname(file)), { recursive: true })
    await copyFile(realpathSync(file), join(folder, file))
  }
}

/** Returns the mirror of Debian that this machine uses; none for the default of debootstrap. */
async function mirror(): Promise<readonly string[]> {
  const folder = '/etc/apt/sources.list.d'
  const names = (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
  for (const file of ['/etc/apt/sources.list', ...names].filter((one) => existsSync(one))) {
    const text = await readFile(file, 'utf8')
    const found = /^(?:URIs:|deb (?:\[.*?\] )?)\s*(\S+\/debian)\/?(?:\s|$)/m.exec(text)
    if (found) return [found[1]!]
  }
  return []
}

/** Returns the arguments of the instructions with a keyword. */
export const textsOf = (stage: readonly DockerInstruction[], keyword: string): readonly string[] =>
  stage.filter((one) => one.keyword === keyword).map(({ text }) => text)

/** Returns variables of instructions such as `ENV NAME=value`. */
const variablesOf = (texts: readonly string[]): Variables =>
  Object.fromEntries(texts.map((text) => text.split('=', 2) as [string, string]))

/** Runs the instructions of the first stage in a new Debian. @param variables of the build */
export async function runInstallStage(folder: string, variables: Variables): Promise<void> {
  const [stage = []] = readStages()
  const suite = /^node:\d+-(\w+)-slim/.exec(textsOf(stage, 'FROM')[0]!)![1]!
  await makeDebian(folder, suite)
  let cwd = '/'
  const env: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp' }
  for (const { keyword, text } of stage) {
    if (keyword === 'ARG' || keyword === 'ENV') Object.assign(env, variablesOf([text]))
    if (keyword === 'WORKDIR') await mkdir(join(folder, (cwd = text)), { recursive: true })
    if (keyword !== 'RUN') continue
    const args = [`--root=${folder}`, `--wd=${cwd}`, '/bin/sh', '-c', text]
    await run('unshare', args, { env: { ...env, ...variables }, maxBuffer: 1e8 })
  }
}

/**
 * Makes the root file system of the second stage: like its base image, only Node, the libraries
 * that it loads and certificates, and what the instructions copy.
 */
export async function makeFinalStage(folder: string, installed: string): Promise<void> {
  const [, stage = []] = readStages()
  const node = '/usr/local/bin/node'
  const { stdout } = await run('chroot', [installed, '/usr/bin/ldd', node])
  const libraries = stdout.match(/\/\S+/g)!
  for (const file of [node, ...libraries]) {
    const to = join(folder, file === node ? '/nodejs/bin/node' : file)
    await mkdir(dirname(to), { recursive: true })
    const from = (await run('chroot', [installed, 'readlink', '-f', file])).stdout.trim()
    await copyFile(join(installed, from), to)
  }
  for (const name of ['tmp', 'proc', 'etc', 'run/secrets']) {
    await mkdir(join(folder, name), { recursive: true })
  }
  await writeFile(join(folder, 'etc/passwd'), 'nonroot:x:65532:65532::/nonexistent:/sbin/nologin\n')
  await writeFile(join(folder, 'etc/hosts'), '127.0.0.1 localhost\n')
  const cwd = textsOf(stage, 'WORKDIR')[0]!
  for (const { flags, text } of stage.filter(({ keyword }) => keyword === 'COPY')) {
    const [source = '', target = ''] = text.split(' ')
    const from = join(flags.includes('--from=install') ? installed : containerFolder, source)
    const path = target.startsWith('/') ? target : join(cwd, target)
    const to = join(folder, path, path.endsWith('/') ? source : '')
    await cp(from, to, { recursive: true, verbatimSymlinks: true })
  }
}

/** Mounts the root file system read-only, with /tmp and /proc, for this process alone. */
const mountReadOnly = `
  mount --bind "$1" "$1"
  mount -t tmpfs tmpfs "$1/tmp"
  mount -t proc proc "$1/proc"
  mount -o remount,ro,bind "$1"`

/** Starts a command of the image as its user, in its working folder. */
export function startInImage(folder: string, command: readonly string[], variables: Variables) {
  const [, stage = []] = readStages()
  const [uid = '', gid = ''] = textsOf(stage, 'USER')[0]!.split(':')
  const cwd = textsOf(stage, 'WORKDIR')[0]!
  const script = `set -e; ${mountReadOnly}
    root="$1" cwd="$2" uid="$3" gid="$4"; shift 4
    exec setpriv --clear-groups --no-new-privs unshare --root="$root" --wd="$cwd" \
      --setgid "$gid" --setuid "$uid" "$@"`
  const child = spawn(
    'unshare',
    ['--mount', 'sh', '-c', script, 'sh', folder, cwd, uid, gid, ...command],
    {
      env: { PATH: process.env['PATH'], ...variablesOf(textsOf(stage, 'ENV')), ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, printed }))
  return { child, ended, printed: () => printed }
}
