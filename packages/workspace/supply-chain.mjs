/**
 * Installs the packed packages as a user would, and writes the bill of materials of what was
 * installed (CycloneDX) and its licences. Fails if npm knows a vulnerability of it.
 *
 *     node packages/workspace/supply-chain.mjs [folder, supply-chain by default]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildPackages } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { packPackages, tarballOf } from '../testing/src/local-registry.mjs'
import { readPackages } from './lib/packages.mjs'
import { run, runMain } from './lib/run.mjs'
import { formatLicences, listInstalled } from './lib/supply-chain.mjs'

/** @param {string} target */
async function writeSupplyChain(target) {
  const folder = mkdtempSync(join(tmpdir(), 'servicekit-supply-chain-'))
  const npm = async (/** @type {string[]} */ ...args) => {
    const result = await run('npm', ['--loglevel=error', ...args], { cwd: folder })
    return result
  }
  const requireSuccess = async (/** @type {string[]} */ ...args) => {
    const { code, output } = await npm(...args)
    if (code !== 0) throw new Error(`npm ${args[0]} failed:\n${output}`)
    return output
  }
  try {
    await packPackages(folder)
    const manifest = { name: 'servicekit-installation', version: '0.0.0', private: true }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    const packages = readPackages().filter(({ isPublic }) => isPublic)
    const tarballs = packages.map((item) => tarballOf(folder, item))
    await requireSuccess('install', '--ignore-scripts', '--no-fund', '--no-audit', ...tarballs)
    const installed = listInstalled(folder)
    mkdirSync(target, { recursive: true })
    const sbom = await requireSuccess('sbom', '--sbom-format', 'cyclonedx')
    writeFileSync(join(target, 'sbom.cdx.json'), sbom.slice(sbom.indexOf('{')))
    writeFileSync(join(target, 'licences.md'), formatLicences(installed))
    const audit = await npm('audit')
    console.log(`${installed.length} packages in ${target}\n${audit.output.trim()}`)
    return audit.code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await runMain(async () => {
  const target = resolve(process.argv[2] ?? 'supply-chain')
  const isReady = (await ensureInstalled()) && (await buildPackages())
  return isReady ? writeSupplyChain(target) : 1
})
