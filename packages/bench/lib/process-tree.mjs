import { readdirSync, readFileSync } from 'node:fs'

/**
 * What a process and all that it started hold and have used, from the kernel.
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

const ticksPerSecond = 100

/** A process that has ended meanwhile is none. @param {number} id */
function readProcess(id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    // The name stands in brackets, and may hold any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))
    return [
      {
        id,
        parent: Number(fields[1]),
        // Its own, and that of children which have ended.
        cpuSeconds:
          fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond,
        residentMb: Number(resident?.[1] ?? 0) / 1024,
      },
    ]
  } catch {
    return []
  }
}
