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

/** Every operation, in the order of section 4. */
export const operations: readonly Operation[] = [
  auth.initiate,
  auth.callback,
  auth.getSession,
  auth.issueToken,
  auth.activate,
  auth.logout,
  iam.getMe,
  iam.listOrganizations,
  iam.createOrganization,
  iam.listUsers,
  iam.getUser,
  iam.createUser,
  iam.deactivateUser,
  iam.listRoles,
  iam.listPermissions,
  iam.setAccess,
  idp.listUsers,
  idp.listAccounts,
  idp.createUser,
  idp.updateUser,
  idp.getUser,
  idp.getAccount,
  idp.activate,
  storage.listConfigurations,
  storage.presignUpload,
  storage.listFiles,
  storage.getFile,
  data.listSchemas,
  data.execute,
  localization.listLanguages,
  localization.getFile,
  localization.listModules,
  localization.uilmListLanguages,
  localization.uilmGetFile,
  localization.uilmListModules,
  translation.suggest,
  webhooks.save,
  tools.initiateOauth,
  tools.saveTutorial,
  tools.countAgents,
  knowledge.add,
]
