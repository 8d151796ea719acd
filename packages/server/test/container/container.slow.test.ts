import { Ajv } from 'ajv'
import { validate as validateDockerfile } from 'dockerfile-utils'
import { run as lintDockerfile } from 'dockerfilelint'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Service } from 'kubernetes-models/v1'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { fileVariableOf, settingsList } from '../../src/config/list-settings.ts'
import {
  type Manifest,
  readCompose,
  readContainerFile,
  readManifests,
  readStages,
} from './read-container.ts'

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

  it('has no problem that dockerfilelint knows', () => {
    // It reads this option as an unknown one, --start.
    const text = readContainerFile('Dockerfile').replace(' --start-period=30s', '')
    expect(lintDockerfile('.', text)).toEqual([])
    expect(lintDockerfile('.', text.replace(':nonroot', ''))).toMatchObject([
      { rule: 'missing_tag' },
    ])
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
    // Its draft has another address than Ajv knows.
    const { $schema: _, ...schema } = composeSchema()
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    const compose = readCompose()
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ ...compose, services: { a: { imagee: 'x' } } })).toBe(false)
    expect(validate({ ...compose, nme: 'servicekit' })).toBe(false)
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
  it('follow the schemas of the API', () => {
    const manifests = readManifests()
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(Object.keys(models).sort())
    expect(manifests.flatMap(problemsOf)).toEqual([])
    const wrong = structuredClone(manifests.find(({ kind }) => kind === 'Deployment')!)
    wrong['spec'].template.spec.containers[0].imagePullPolicy = 'Sometimes'
    expect(problemsOf(wrong)).toContain('imagePullPolicy must be equal to one of')
  })

  it('have no member that the API does not know', () => {
    const sourceOf = (manifests: readonly Manifest[]): string =>
      manifests
        .map((manifest, index) => {
          const { kind, apiVersion } = manifest
          const from = `kubernetes-models/${apiVersion}`
          const value = JSON.stringify(manifest, undefined, 2)
          return `import type { I${kind} as T${index} } from '${from}'\nexport const m${index}: T${index} = ${value}\n`
        })
        .join('')
    const manifests = readManifests()
    const wrong = structuredClone(manifests.find(({ kind }) => kind === 'Deployment')!)
    wrong['spec'].template.spec.containers[0].readinesProbe = {}
    expect(typeProblems([sourceOf(manifests), sourceOf([wrong])])).toEqual([
      [],
      [expect.stringContaining('\'"readinesProbe"\' does not exist')],
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

/** Reads the schema of the Compose Specification, which a linter publishes with its program. */
function composeSchema(): Readonly<Record<string, unknown>> {
  const main = createRequire(import.meta.url).resolve('dclint/package.json')
  const file = new URL('schemas/compose.schema.json', `file://${main}`)
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>
}

const models = { ConfigMap, Deployment, Ingress, PodDisruptionBudget, Service }

/** Returns the problems of a manifest as its published schema finds them. */
function problemsOf(manifest: Manifest): string | [] {
  const model = new models[manifest.kind as keyof typeof models](manifest as never)
  try {
    model.validate()
    return []
  } catch (error) {
    return (error as Error).message
  }
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
