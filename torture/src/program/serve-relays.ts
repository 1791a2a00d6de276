/**
 * The way from a network namespace to socket files of the machine: `node serve-relays.ts <address> <paths of sockets>`. It prints the port of each, in
 * one line of JSON, and ends with who started it.
 */
import type { AddressInfo } from 'node:net';
import { relay } from './relay.ts';

const [, , host = '127.0.0.1', ...paths] = process.argv;
const servers = await Promise.all(paths.map((path) => relay({ host, port: 0 }, { path })));
process.stdout.write(`${JSON.stringify(servers.map((server) => (server.address() as AddressInfo).port))}\n`);
