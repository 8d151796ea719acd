/** Returns an unused port of the loopback interface. */
export declare const freePort: () => Promise<number>
