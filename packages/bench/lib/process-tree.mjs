import { readdirSync, readFileSync } from 'node:fs'

/**
 * Reads the memory and processor time of a process and all its descendants from the kernel.
 *
 * @param {number} root process id
 * @returns {{ residentMb: number, cpuSeconds: number }}
 */
export function readTree(root) {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)))
  const tree = new Set([root])
  for (let size = 0; size < tree.size;) {
    size = tree.size
    for (const { id, parent } of processes) if (tree.has(parent)) tree.add(id)
  }
  const own = processes.filter(({ id }) => tree.has(id))
  return {
    residentMb: own.reduce((sum, one) => sum + one.residentMb, 0),
    cpuSeconds: own.reduce((sum, one) => sum + one.cpuSeconds, 0),
  }
}

export const ticksPerSecond = 100

/** Returns nothing for a process that has ended in the meantime. @param {number} id */
function readProcess(id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    // The name is in parentheses and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))
    return [
      {
        id,
        parent: Number(fields[1]),
        // Its own time, and that of children that have ended.
        cpuSeconds:
          fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond,
        residentMb: Number(resident?.[1] ?? 0) / 1024,
      },
    ]
  } catch {
    return []
  }
}
