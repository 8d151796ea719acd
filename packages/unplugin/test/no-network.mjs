/**
 * Ends the process at any connection or name lookup. Loaded with `node --import` where
 * the system cannot disable the network.
 */
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

/** @param {string} what */
const refuse = (what) => () => {
  process.stderr.write(`the network was asked for ${what}\n`)
  process.exit(9)
}
net.Socket.prototype.connect = refuse('a connection')
Object.assign(dns, { lookup: refuse('a name'), resolve: refuse('a name') })
Object.assign(dns.promises, { lookup: refuse('a name'), resolve: refuse('a name') })
syncBuiltinESMExports()
