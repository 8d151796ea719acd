import {
  KIND_ASSIGNED,
  KIND_MENTIONS,
  KIND_NEEDS_REVIEW,
  KIND_TO_REVIEW,
  NONE_ASSIGNED,
  NONE_MENTIONS,
  NONE_NEEDS_REVIEW,
  NONE_TO_REVIEW,
} from '~uilm/tasks'
import type { TaskKind } from '../state/records.ts'

interface ShownKind {
  readonly kind: TaskKind
  readonly name: (count: { readonly count: number }) => string
  /** Text without tasks. */
  readonly none: () => string
}

/** Kinds of tasks by the last segment of the path of their page, in the order of the tabs. */
export const taskKinds: ReadonlyMap<string, ShownKind> = new Map<string, ShownKind>([
  ['', { kind: 'assigned', name: KIND_ASSIGNED, none: NONE_ASSIGNED }],
  ['mentions', { kind: 'mentions', name: KIND_MENTIONS, none: NONE_MENTIONS }],
  ['to-review', { kind: 'toReview', name: KIND_TO_REVIEW, none: NONE_TO_REVIEW }],
  ['needs-review', { kind: 'needsReview', name: KIND_NEEDS_REVIEW, none: NONE_NEEDS_REVIEW }],
])
