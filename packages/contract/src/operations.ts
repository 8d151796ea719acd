import * as auth from './auth.ts'
import * as data from './data.ts'
import * as iam from './iam.ts'
import * as idp from './idp.ts'
import * as knowledge from './knowledge.ts'
import * as localization from './localization.ts'
import type { Operation } from './operation.ts'
import * as storage from './storage.ts'
import * as tools from './tools.ts'
import * as translation from './translation.ts'
import * as webhooks from './webhooks.ts'

/** Groups of operations, in the order of section 4. */
const groups = [
  auth,
  iam,
  idp,
  storage,
  data,
  localization,
  translation,
  webhooks,
  tools,
  knowledge,
]

/** Operation that a section of the interface defines. */
type InterfaceOperation = Operation & { readonly section: string }

/** Every operation: the exports of the groups that have a route, by name within each group. */
export const operations: readonly InterfaceOperation[] = groups.flatMap((group) =>
  Object.values(group).filter((one): one is InterfaceOperation & typeof one => 'route' in one),
)
