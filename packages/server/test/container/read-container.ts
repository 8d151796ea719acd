import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Instruction, type ModifiableInstruction, DockerfileParser } from 'dockerfile-ast'
import { parse, parseAllDocuments } from 'yaml'

export const containerFolder = join(import.meta.dirname, '../../container')

export const readContainerFile = (name: string): string =>
  readFileSync(join(containerFolder, name), 'utf8')

/** Instruction of a Dockerfile with its arguments as one text. */
export interface DockerInstruction {
  readonly keyword: string
  /** Such as `--from=install`. */
  readonly flags: readonly string[]
  readonly text: string
}

/** Returns the instructions of each stage. */
export function readStages(): readonly (readonly DockerInstruction[])[] {
  const instructions = DockerfileParser.parse(readContainerFile('Dockerfile'))
    .getInstructions()
    .map((one: Instruction) => ({
      keyword: one.getKeyword(),
      flags: (one as Partial<ModifiableInstruction>).getFlags?.().map(String) ?? [],
      // Without the line breaks of a continued instruction.
      text: (one.getArgumentsContent() ?? '').replaceAll(/\\\n\s*/g, ' '),
    }))
  const stages: DockerInstruction[][] = []
  for (const one of instructions) {
    if (one.keyword === 'FROM') stages.push([])
    stages.at(-1)?.push(one)
  }
  return stages
}

/** Service of a compose file, as far as the tests read it. */
interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly command?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly depends_on?: Readonly<Record<string, object>>
  readonly volumes?: readonly string[]
}

export interface Compose {
  readonly name: string
  readonly services: Readonly<Record<string, ComposeService>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: Readonly<Record<string, unknown>>
}

export const readCompose = (): Compose =>
  parse(readContainerFile('compose.yaml'), { merge: true }) as Compose

/** Kubernetes object. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly [name: string]: ReturnType<typeof JSON.parse>
}

/** Returns the objects of the manifests that the kustomization lists. */
export function readManifests(): readonly Manifest[] {
  const { resources } = parse(readContainerFile('kubernetes/kustomization.yaml')) as {
    readonly resources: readonly string[]
  }
  const files = readdirSync(join(containerFolder, 'kubernetes'))
  const missing = resources.filter((name) => !files.includes(name))
  if (missing.length > 0 || resources.length !== files.length - 1) {
    throw new Error(
      `kustomization.yaml lists ${resources.join(', ')}, and there are ${files.join(', ')}`,
    )
  }
  return resources.flatMap((name) =>
    parseAllDocuments(readContainerFile(`kubernetes/${name}`)).map((one) => one.toJS() as Manifest),
  )
}
