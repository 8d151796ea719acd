import { accessCases } from './access.ts'
import { authCases } from './auth.ts'
import { dataCases } from './data.ts'
import { iamCases } from './iam.ts'
import { idpCases } from './idp.ts'
import { localizationCases } from './localization.ts'
import type { OperationCases } from './operation-case.ts'
import { storageCases } from './storage.ts'
import { toolCases } from './tools.ts'

const cases: OperationCases = {
  ...authCases,
  ...iamCases,
  ...idpCases,
  ...storageCases,
  ...dataCases,
  ...localizationCases,
  ...toolCases,
}

/** All cases, in the order of section 4. */
export const allCases: OperationCases = Object.fromEntries(
  Object.entries(cases).map(([id, own]) => [id, [...own, ...(accessCases[id] ?? [])]]),
)
