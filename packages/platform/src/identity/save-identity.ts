import type { z } from 'zod'
import type { Tables } from '../database/database.ts'
import { Invalid } from '../domain-errors.ts'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import { keepAdministrators } from './authority.ts'
import { operator } from '../http/caller.ts'
import {
  defaultOrganizationId,
  ensureDefaultOrganization,
  organizationIdOf,
  saveOrganization,
} from './organizations.ts'
import type { IdentityFile } from '@servicekit/contract/control'
import { hashPassword, verifyPassword } from './passwords.ts'
import { findClient } from './clients.ts'
import { endMachineTokens } from './sessions.ts'
import { saveSettings } from './settings.ts'
import { clients, permissions, roles, users } from '../database/tables.ts'
import {
  editableOf,
  findByName,
  hasEmailOf,
  insertUser,
  replaceMemberships,
  updateUser,
} from './users.ts'
import { hashSecret } from '../secrets.ts'

type Parsed = z.output<typeof IdentityFile>

type ProjectHead = Pick<Project, 'id' | 'name' | 'organizationId'>

type NewHashes = ReadonlyMap<string, string>

/**
 * Returns the hashes of the passwords that a file changes, by email address. A password that a
 * user already has is no change, because a change ends the sessions of the user. Hashing takes
 * longer than a transaction may.
 *
 * @param project undefined if it does not exist yet.
 */
export async function hashNewPasswords(
  { database }: Pick<Services, 'database'>,
  project: Pick<Project, 'id'> | undefined,
  file: Parsed,
): Promise<NewHashes> {
  const emails = file.users.map(({ email }) => email)
  const rows = project
    ? await database.scoped(project.id, (tables) =>
        tables.select().from(users).where(hasEmailOf(emails)),
      )
    : []
  const known = new Map(rows.map(({ email, passwordHash }) => [email.toLowerCase(), passwordHash]))
  const entries = file.users.map(async ({ email, password, passwordHash }) => {
    const old = known.get(email.toLowerCase())
    if (passwordHash !== undefined) return passwordHash === old ? [] : [[email, passwordHash]]
    if (password === undefined) return []
    const isKept = old != null && (await verifyPassword(old, password).catch(() => false))
    return isKept ? [] : [[email, await hashPassword(password)]]
  })
  return new Map((await Promise.all(entries)).flat() as [string, string][])
}

/**
 * Inserts or updates the entries of a file. Others remain unchanged.
 *
 * @throws Invalid for a user with the name of another one, Forbidden if the project would lose
 * its last administrator.
 */
export async function saveIdentity(
  tables: Tables,
  services: Services,
  project: ProjectHead,
  file: Parsed,
  hashes: NewHashes,
): Promise<void> {
  const now = services.options.now()
  await ensureDefaultOrganization(tables, project, now)
  // The operator may close other organizations.
  await keepAdministrators(tables, operator, [defaultOrganizationId(project)], async () => {
    if (file.settings) await saveSettings(tables, project.id, file.settings)
    for (const one of file.organizations) await saveOrganization(tables, project.id, one, now)
    await saveAccess(tables, services, project.id, file)
    for (const user of file.users) {
      await saveUser(tables, services, project, user, hashes.get(user.email))
    }
  })
}

async function saveAccess(
  tables: Tables,
  { options }: Services,
  projectId: number,
  file: Parsed,
): Promise<void> {
  const stored = () => {
    const now = options.now()
    return { projectId, itemId: options.newId(), createdDate: now, lastUpdatedDate: now }
  }
  for (const { slug, name = slug, ...rest } of file.roles) {
    await tables
      .insert(roles)
      .values({ ...stored(), slug, name, ...rest })
      .onConflictDoUpdate({ target: [roles.projectId, roles.slug], set: { name, ...rest } })
  }
  for (const { name, ...rest } of file.permissions) {
    await tables
      .insert(permissions)
      .values({ ...stored(), name, ...rest })
      .onConflictDoUpdate({ target: [permissions.projectId, permissions.name], set: rest })
  }
  for (const { clientId, name = clientId, clientSecret, ...rest } of file.clients) {
    const secretHash = clientSecret === undefined ? null : hashSecret(clientSecret)
    const known = await findClient(tables, clientId)
    const isReplaced = known !== undefined && known.secretHash !== secretHash
    const values = {
      name,
      secretHash,
      ...(isReplaced && { previousSecretHash: null, previousSecretUntil: null }),
      ...rest,
      roles: [...new Set(rest.roles)],
    }
    if (isReplaced) await endMachineTokens(tables, clientId)
    await tables
      .insert(clients)
      .values({ projectId, clientId, ...values })
      .onConflictDoUpdate({ target: [clients.projectId, clients.clientId], set: values })
  }
}

async function saveUser(
  tables: Tables,
  { options }: Services,
  project: ProjectHead,
  user: Parsed['users'][number],
  passwordHash: string | undefined,
): Promise<void> {
  const now = options.now()
  const organizationId = organizationIdOf(project, user.organizationId)
  const memberships = user.memberships?.map((one) => ({
    ...one,
    organizationId: organizationIdOf(project, one.organizationId),
  })) ?? [{ organizationId, roles: user.roles, permissions: user.permissions }]
  const known = await findByName(tables, user.email)
  if (known) {
    const changes = { ...editableOf(user), active: user.active, passwordHash, organizationId }
    await updateUser(tables, known.itemId, { ...changes, lastUpdatedDate: now }, now)
    await replaceMemberships(tables, project.id, known.itemId, memberships)
    return
  }
  const created = {
    ...editableOf(user),
    itemId: user.itemId ?? options.newId(),
    email: user.email,
    userName: user.userName ?? user.email,
    passwordHash: passwordHash ?? null,
    active: user.active ?? true,
    isVerified: true,
    organizationId,
    memberships,
  }
  const taken = await insertUser(tables, project.id, created, now, null)
  if (taken) throw new Invalid(`Another user has the user name or the id of ${user.email}.`)
}
