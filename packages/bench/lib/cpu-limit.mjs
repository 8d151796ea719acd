import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Period of the limit in µs: short, so that requests do not wait for long. */
const period = 20_000
const groups = '/sys/fs/cgroup'
const isUnified = existsSync(join(groups, 'cgroup.controllers'))
/**
 * Parent of the processor controller's groups; version 1 has a separate tree for each
 * controller.
 */
const parent = isUnified ? groups : join(groups, 'cpu')

/**
 * True if this user may limit processes to a share of a processor here, with control groups
 * of Linux.
 */
export const canLimitCpu = checkSupport()

let count = 0

/**
 * Limits a process to a share of one processor.
 *
 * @param {number} pid
 * @param {number} share such as 0.25
 * @returns {() => Promise<void>} removes the group, once its process has ended
 */
export function limitCpu(pid, share) {
  const folder = createGroup(`servicekit-${process.pid}-${count++}`)
  const quota = Math.round(period * share)
  if (isUnified) writeFileSync(join(folder, 'cpu.max'), `${quota} ${period}`)
  else {
    writeFileSync(join(folder, 'cpu.cfs_period_us'), `${period}`)
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), `${quota}`)
  }
  writeFileSync(join(folder, 'cgroup.procs'), `${pid}`)
  return async () => rmdirSync(folder)
}

/** @param {string} name */
function createGroup(name) {
  const folder = join(parent, name)
  mkdirSync(folder)
  return folder
}

function checkSupport() {
  try {
    if (
      isUnified &&
      !readFileSync(join(groups, 'cgroup.subtree_control'), 'utf8').includes('cpu')
    ) {
      writeFileSync(join(groups, 'cgroup.subtree_control'), '+cpu')
    }
    const folder = createGroup(`servicekit-${process.pid}`)
    const isSupported = existsSync(join(folder, isUnified ? 'cpu.max' : 'cpu.cfs_quota_us'))
    rmdirSync(folder)
    return isSupported
  } catch {
    return false
  }
}
