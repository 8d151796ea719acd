import { join } from 'node:path'
import { findInstalled, type Installed, readTextIfExists } from '@servicekit/core/node'
import type { ProjectFacts } from '../init/project-facts.ts'
import type { Finding } from './finding.ts'

const ownPackage = /^(?:servicekit|@servicekit\/.+)$/

/** Checks that the packages of servicekit are installed, in one version. */
export async function checkPackages(facts: ProjectFacts): Promise<readonly Finding[]> {
  const declared = Object.keys(facts.dependencies).filter((name) => ownPackage.test(name))
  const installed = declared.map((name) => findInstalled(name, facts.root))
  const missing = declared.filter((_, index) => !installed[index])
  const found = installed.filter((one) => one !== undefined)
  const nested = await Promise.all(found.map(dependenciesOf))
  const all = [...found, ...nested.flat()]
  const versions = new Set(all.map(({ version }) => version))
  const install = `${facts.agent.split('@')[0]} install`
  return [
    ...missing.map((name): Finding => ({
      code: 'PACKAGE_MISSING',
      problem: `${name} is in package.json, but not installed`,
      where: join(facts.root, 'package.json'),
      fix: `Run "${install}".`,
    })),
    ...(versions.size > 1
      ? [
          {
            code: 'PACKAGE_VERSIONS' as const,
            problem: `The packages of servicekit have different versions: ${listOf(all)}`,
            where: join(facts.root, 'package.json'),
            fix: 'Set the same version for all of them, and install again.',
          },
        ]
      : []),
  ]
}

const listOf = (packages: readonly Installed[]): string =>
  [...new Set(packages.map(({ name, version }) => `${name} ${version}`))].toSorted().join(', ')

async function dependenciesOf({ folder }: Installed): Promise<readonly Installed[]> {
  const text = (await readTextIfExists(join(folder, 'package.json'))) ?? '{}'
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> }
  const names = Object.keys(dependencies).filter((name) => ownPackage.test(name))
  const found = names.map((name) => findInstalled(name, folder))
  return found.filter((one) => one !== undefined)
}

/**
 * Checks that the application and its dependencies load the same React: hooks of another
 * copy throw.
 */
export function checkReact(facts: ProjectFacts): readonly Finding[] {
  const own = findInstalled('react', facts.root)
  if (!own) return []
  const findings: Finding[] = []
  for (const name of Object.keys(facts.dependencies)) {
    if (name === 'react' || name.startsWith('@types/')) continue
    const dependency = findInstalled(name, facts.root)
    const other = dependency && findInstalled('react', dependency.folder)
    if (!other || other.folder === own.folder) continue
    findings.push({
      code: 'REACT_DUPLICATE',
      problem: `${name} loads its own React ${other.version}, the application loads ${own.version}`,
      where: other.folder,
      fix: `Install one version for both, or add "react" to resolve.dedupe of the bundler.`,
    })
  }
  return findings
}
