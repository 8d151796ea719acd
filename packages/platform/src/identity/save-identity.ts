import type { Tables } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { saveClients } from './clients.ts'
import { ensureDefaultOrganization, organizationIdOf, saveOrganization } from './organizations.ts'
import type { IdentityFile } from './parse-identity.ts'
import { saveSettings } from './settings.ts'
import { permissions as permissionTable, roles as roleTable } from './tables.ts'
import { editableOf, findByName, insertUser, replaceMemberships, updateUser } from './users.ts'

type SavedProject = Pick<Project, 'id' | 'name' | 'organizationId'>
type Saving = Pick<Services, 'options' | 'identity' | 'database'>

/**
 * Inserts or updates the entries of a file in one transaction. All other entries remain
 * unchanged.
 */
export async function saveIdentity(
  services: Saving,
  project: SavedProject,
  file: IdentityFile,
): Promise<void> {
  const { passwords } = services.identity
  const hashes = new Map<string, string>()
  for (const { email, password, passwordHash } of file.users ?? []) {
    if (passwordHash !== undefined) hashes.set(email, passwordHash)
    else if (password !== undefined) hashes.set(email, await passwords.hash(password))
  }
  const now = services.options.now()
  await services.database.scoped(project.id, async (tables) => {
    await ensureDefaultOrganization(tables, project, now)
    if (file.settings) await saveSettings(tables, project.id, file.settings)
    for (const one of file.organizations ?? []) {
      await saveOrganization(tables, project.id, one, now)
    }
    await saveRoles(tables, services, project.id, file)
    await saveClients(tables, project.id, file.clients ?? [])
    for (const user of file.users ?? []) {
      await saveUser(tables, services, project, user, hashes.get(user.email))
    }
  })
}

async function saveRoles(
  tables: Tables,
  { options }: Saving,
  projectId: number,
  { roles = [], permissions = [] }: IdentityFile,
): Promise<void> {
  const stored = () => {
    const now = options.now()
    return { projectId, itemId: options.newId(), createdDate: now, lastUpdatedDate: now }
  }
  for (const { slug, ...given } of roles) {
    const values = {
      name: given.name ?? slug,
      description: given.description ?? null,
      ancestorRoleSlugs: given.ancestorRoleSlugs ?? [],
    }
    await tables
      .insert(roleTable)
      .values({ ...stored(), slug, ...values })
      .onConflictDoUpdate({ target: [roleTable.projectId, roleTable.slug], set: values })
  }
  for (const { name, ...given } of permissions) {
    const values = {
      type: given.type ?? 0,
      description: given.description ?? null,
      resource: given.resource ?? null,
      resourceGroup: given.resourceGroup ?? null,
      isBuiltIn: given.isBuiltIn ?? false,
      isArchived: given.isArchived ?? false,
      roles: given.roles ?? [],
    }
    await tables
      .insert(permissionTable)
      .values({ ...stored(), name, ...values })
      .onConflictDoUpdate({
        target: [permissionTable.projectId, permissionTable.name],
        set: values,
      })
  }
}

async function saveUser(
  tables: Tables,
  { options }: Saving,
  project: SavedProject,
  user: NonNullable<IdentityFile['users']>[number],
  passwordHash: string | undefined,
): Promise<void> {
  const now = options.now()
  const organizationId = organizationIdOf(project, user.organizationId)
  const own = { organizationId, roles: user.roles ?? [], permissions: user.permissions ?? [] }
  const memberships = user.memberships?.map((one) => ({
    ...one,
    organizationId: organizationIdOf(project, one.organizationId),
  })) ?? [own]
  const known = await findByName(tables, user.email)
  if (known) {
    const { active } = user
    const changes = { ...editableOf(user), active, passwordHash, organizationId }
    await updateUser(tables, known.itemId, { ...changes, lastUpdatedDate: now })
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
  await insertUser(tables, project.id, created, now, null)
}
