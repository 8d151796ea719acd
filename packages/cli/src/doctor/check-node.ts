import type { Finding } from './finding.ts'

/** Checks a Node version such as `20.19.0` against the `engines` of the packages. */
export function checkNode(version: string, executable: string): readonly Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22
  if (isSupported) return []
  return [
    {
      code: 'NODE_VERSION',
      problem: `Node ${version} is not supported`,
      where: executable,
      fix: 'Use Node 20.19 or later, or 22.12 or later.',
    },
  ]
}
