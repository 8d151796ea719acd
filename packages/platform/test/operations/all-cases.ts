import { authCases } from './auth.ts'
import { dataCases } from './data.ts'
import { iamCases } from './iam.ts'
import { idpCases } from './idp.ts'
import { localizationCases } from './localization.ts'
import type { OperationCases } from './operation-case.ts'
import { storageCases } from './storage.ts'
import { toolCases } from './tools.ts'

/** Every case, in the order of section 4. */
export const allCases: OperationCases = {
  ...authCases,
  ...iamCases,
  ...idpCases,
  ...storageCases,
  ...dataCases,
  ...localizationCases,
  ...toolCases,
}
