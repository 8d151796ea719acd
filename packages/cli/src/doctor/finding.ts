import { explainCommand } from '@servicekit/core'

/** Something that is wrong with the setup of an application. */
export interface Finding {
  /** Stable name for programs. */
  readonly code: FindingCode
  /** Problem in one sentence. */
  readonly problem: string
  /** File, folder or URL. */
  readonly where: string
  /** Instruction that solves it. */
  readonly fix: string
}

type FindingCode =
  | 'NODE_VERSION'
  | 'PACKAGE_MISSING'
  | 'PACKAGE_VERSIONS'
  | 'CONFIG_MISSING'
  | 'CONFIG_INVALID'
  | 'CONFIG_DUPLICATE'
  | 'SERVICE_UNREACHABLE'
  | 'SERVICE_PROTOCOL'
  | 'SERVICE_REFUSED'
  | 'SERVICE_OPTIONS'
  | 'SERVICE_CREDENTIALS'
  | 'FOLDER_INVALID'
  | 'SNAPSHOT_MISSING'
  | 'SNAPSHOT_CHANGED'
  | 'SNAPSHOT_STALE'
  | 'TYPESCRIPT_VERSION'
  | 'TYPES_MISSING'
  | 'TYPES_UNREACHED'
  | 'REACT_DUPLICATE'
  | 'PLUGIN_MISSING'
  | 'LANGUAGE_UNHANDLED'
  | 'GIT_IGNORED'
  | 'GIT_TRACKED'

/** Formats a finding in four lines. */
export const formatFinding = ({ code, problem, where, fix }: Finding): string =>
  `${problem}\n  where: ${where}\n  fix: ${fix}\n  explain: ${explainCommand(code)}\n`
